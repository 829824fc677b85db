"""Interpret errors of servers: whether they may pass, whether they cost, and what to do.

Azure OpenAI documents ("manage costs") that it charges for processed calls with any status: for a
400 from its content filter or for too long a prompt, and for a 408, but not for a 401 or a 429.
OpenRouter documents that it does not charge for failed calls. So errors without processing count as
not billed: all below 500 except 400 and 408, and 503 and 529, with which an endpoint refuses calls.
For 400, 408 and all others from 500 on, it may charge.
"""

import html
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

PASSING = {408, 409, 420, 425, 429}
"""HTTP statuses below 500 that may pass."""
FAILED = {200, 424}
"""Statuses below 500 of failures while an answer was made."""
PROCESSED = {400, 408, *FAILED}
UNAVAILABLE = {503, 529}
LATE = {504, 522, 524}
"""Statuses of gateways that got no answer in time."""
OF_ALL_INPUTS = {401, 402, 404, 405, 407, 413}
"""Statuses below 500 that say nothing about a single prompt."""

SHOWN_CHARACTERS = 300
SPENT = re.compile(
    r"insufficient[\s_-]?(?:quota|balance|funds?|credits?)|credit balance|out of credits?"
    r"|budget[\s_](?:has[\s_]been[\s_]|is[\s_])?exceeded"
    r"|(?:spend(?:ing)?|usage)[\s_]limit|exceeded[\s_](?:your[\s_])?current[\s_]quota|billing|recharge|余额|欠费",
    re.IGNORECASE,
)
BUSY = re.compile(
    r"too many requests|rate[\s_-]?limit|throttl|overload|\bbusy\b|capacity[\s_]exceeded"
    r"|(?:at|over) capacity|(?:again|retry) later\b",
    re.IGNORECASE,
)
"""Words that indicate that a server accepts no calls for now."""
LONG = re.compile(r"per[\s_-]?(?:day|month)|daily|monthly", re.IGNORECASE)
"""Limits that do not pass within our retries, unless the server says when to retry."""
BLOCKED = re.compile(
    r"content[\s_-]?filter|block(?:ed|list|[\s_]?reason)|black[\s_]?list|toxic|moderat|polic(?:y|ies)|guideline|safety|guardrail|sensitive|flagged"
    r"|inappropriate|harmful|prohibited|inspection|content.*risk|risk.*content|refusal|recitation|\bspii\b|审|敏感|违规",
    re.IGNORECASE,
)
"""Words that indicate that a prompt or an answer was stopped because of its content."""
TOO_LONG = re.compile(
    r"context|(?<!_)tokens?\b|length|too (?:long|large|big|many)|maximum", re.IGNORECASE
)
"""Words that indicate that a prompt, or a limit, is too long."""
USED_UP = re.compile(r"(?:could|can) ?not finish the (?:message|answer)", re.IGNORECASE)
"""Words that indicate that an answer used up its tokens."""
OF_FORM = re.compile(r"parameter|argument|option", re.IGNORECASE)
"""Words that indicate that a server lacks what a request wants, and not a model."""
OF_ANSWERS = {"id", "object", "created", "model", "choices", "usage", "system_fingerprint"}
"""Fields of an answer. If it has no choices, the other fields say why."""
MARKUP = re.compile(
    r"<(?P<of>style|script)\b.*?</(?P=of)\s*>|<!--.*?-->|<[^>]*>", re.IGNORECASE | re.DOTALL
)
MOST_OF_A_PAGE = 2**16
"""Characters of a page that are searched for words."""
CREDIT = ("an account with credit left", "Add credit to the account, or use another key.")
REMEDIES = {
    400: (
        "a request that it accepts",
        "Correct the model's entry: context_tokens, if the prompt is too long; `parameters`, "
        "`system_turn` or `chat`, if it must be asked in another way.",
    ),
    401: (
        "a key that it accepts",
        "Put a valid key into the environment variable that key_variable names.",
    ),
    402: CREDIT,
    403: (
        "a key that may use the model",
        "Put another key into the environment variable that key_variable names.",
    ),
    404: (
        "a model that it serves at this address",
        "Correct base_url (it usually ends in /v1) or the model's name.",
    ),
    429: CREDIT,
}
"""What was expected when an endpoint refused a call, and what to do."""


class Refusal(NamedTuple):
    """A server's message instead of an answer: its `words`, in one line with secrets hidden.

    `code` has all its codes. `subject` is the parameter that it names as the fault, if any, and
    `whole` is the complete message. `wait_s` is the time until a retry, 0 if it does not say. A
    `status` of 200 means an error inside an answer, or a `foreign` form of one.
    """

    status: int
    words: str
    code: str
    subject: str
    whole: str
    wait_s: float = 0.0
    foreign: bool = False

    def __str__(self) -> str:
        """Return status and words."""
        # Some endpoints repeat a wrong key or parts of it.
        said = self.words and self.status != 401
        return f"HTTP {self.status}: {self.words}" if said else f"HTTP {self.status}"

    @property
    def remedy(self) -> tuple[str, str]:
        """What was expected, and what to do about it if it does not pass."""
        return REMEDIES.get(self.status, REMEDIES[400])

    @property
    def passes(self) -> bool:
        """Whether it may pass: a rate limit does; an empty account and a day's quota do not."""
        if self.is_spent and not self.wait_s:
            return False
        return self.is_busy or self.status in PASSING | FAILED or self.status >= 500

    @property
    def is_spent(self) -> bool:
        """Whether it says that an account is empty, or its quota for a long time."""
        said = f"{self.code} {self.words} {self.whole}"
        return bool(SPENT.search(said) or LONG.search(said))

    @property
    def is_busy(self) -> bool:
        """Whether it says in a status for something else that no calls are accepted for now."""
        of_others = 400 <= self.status < 500 and self.status not in OF_ALL_INPUTS | PASSING
        busy = of_others and BUSY.search(f"{self.code} {self.words}")
        return bool(busy) and not self.hints_at_filter

    @property
    def is_limit(self) -> bool:
        """Whether it is a limit of calls, which is no failure."""
        return self.is_busy or self.status in {420, 429}

    @property
    def may_be_billed(self) -> bool:
        """Whether the server may charge for the call."""
        processed = self.status in PROCESSED or self.is_filter or self.is_cut
        return processed or (self.status >= 500 and self.status not in UNAVAILABLE)

    @property
    def is_filter(self) -> bool:
        """Whether it says by OpenAI's code that its filter stopped the prompt."""
        return "content_filter" in self.code.split()

    @property
    def hints_at_filter(self) -> bool:
        """Whether its words indicate that a prompt was stopped because of its content."""
        return bool(BLOCKED.search(f"{self.code} {self.words}"))

    @property
    def is_cut(self) -> bool:
        """Whether it says that an answer used up its tokens before it had any words."""
        return bool(USED_UP.search(self.words))

    @property
    def may_last(self) -> bool:
        """Whether a failure may be one that the server has with this request."""
        return self.status in FAILED or (
            self.status >= 500 and self.status not in UNAVAILABLE | LATE
        )

    @property
    def is_of_input(self) -> bool:
        """Whether it is about a prompt, but not its length, if other prompts are answered."""
        long = TOO_LONG.search(f"{self.code} {self.words}")
        return not long and self.status not in OF_ALL_INPUTS

    def may_be_of_call(self, *, lasts: bool) -> bool:
        """Whether it may be about a single prompt, or about the form of the request.

        A failure of the server may only be so if it `lasts`.
        """
        missing = self.status in OF_ALL_INPUTS and not (
            self.status == 404 and OF_FORM.search(self.words)
        )
        if missing or self.is_busy or self.status in PASSING:
            return False
        return self.hints_at_filter or lasts or (self.status < 500 and self.status not in FAILED)


def refusal_of(
    status: int, text: str, *, hide: Callable[[str], str], wait_s: float = 0.0
) -> Refusal:
    """Return the refusal in the body of an HTTP error, which may have many formats."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = text
    outer = found[0] if isinstance(found, list) and found else found
    if outer is text and text.lstrip().startswith("<"):
        outer = text = words_of(text) or text
    return _refusal(status, outer, text=text, hide=hide)._replace(wait_s=wait_s)


def words_of(page: str) -> str:
    """Return the words of a page in HTML."""
    return " ".join(html.unescape(MARKUP.sub(" ", page[:MOST_OF_A_PAGE])).split())


def refusal_in(document: Mapping[str, Any], *, hide: Callable[[str], str]) -> Refusal | None:
    """Return the error inside a document that should be an answer, or None if there is none."""
    choices = document.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    for found in (first, document):
        if not isinstance(found, dict):
            continue
        error = found.get("error")
        says = any(error.values()) if isinstance(error, dict) else error
        more = {key: value for key, value in found.items() if value and key not in OF_ANSWERS}
        if says or (more and not first):
            code = error.get("code") if isinstance(error, dict) else None
            status = int(str(code)) if re.fullmatch(r"[45]\d\d", str(code)) else 200
            text = json.dumps({"error": error} if says else found, ensure_ascii=False)
            refusal = _refusal(status, more, text=text, hide=hide)
            return refusal._replace(foreign=not says and "choices" not in document)
    return None


def _refusal(status: int, outer: Any, *, text: str, hide: Callable[[str], str]) -> Refusal:
    error = outer.get("error") or outer if isinstance(outer, dict) else outer
    fields: Mapping[str, Any] = error if isinstance(error, dict) else {}
    said = fields.get("message") or fields.get("detail") if fields else error
    metadata = fields.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, dict) else None
    words = said if isinstance(said, str) else text
    shown = f"{words} ({raw})" if isinstance(raw, str) else words
    both = [each for each in (fields, outer) if isinstance(each, dict)]
    codes = [each[key] for each in both for key in ("code", "type", "__type") if each.get(key)]
    return Refusal(
        status=status,
        words=" ".join(hide(shown).split())[:SHOWN_CHARACTERS],
        code=" ".join(map(str, codes)),
        subject=" ".join(_subjects(fields)),
        whole=text,
    )


def _subjects(fields: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(fields.get("param"), str):
        yield fields["param"]
    details = fields.get("detail")
    for detail in details if isinstance(details, list) else ():
        if isinstance(detail, dict) and isinstance(detail.get("loc"), list):
            yield ".".join(map(str, detail["loc"]))
