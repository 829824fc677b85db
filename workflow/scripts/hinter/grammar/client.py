"""The client of language-tool-python, with requests that are bounded in time and size.

The package makes the form of a request and reads the matches of an answer. This module adds what it
lacks: by itself it waits as long as bytes arrive, reads an answer of any size, distinguishes a
refused text from a silent server only by the wording of an error, and forgets which release
answered. Its own server takes a port of a fixed range, has 15 seconds to start, and outlives a job
that is killed: see `server`.
"""

from typing import Any, Literal

from language_tool_python import LanguageTool, Match

from .request import LANGUAGE, Answer, ask


class BoundedClient(LanguageTool):
    """A client of the server at `url` that does not apply the rules `left_out`."""

    def __init__(self, url: str, *, left_out: set[str], seconds: float) -> None:
        self._seconds = seconds
        self._release = ""
        super().__init__(LANGUAGE, remote_server=url)
        self.disabled_rules = left_out

    def answer(self, text: str) -> Answer:
        """Return the server's answer for a text."""
        matches: list[Match] = self.check(text)
        return Answer(self._release, matches)

    def _get_languages(self) -> set[str]:
        # This saves a request: the server refuses a text whose language it does not know.
        return {LANGUAGE}

    def _query_server(
        self,
        url: str,
        params: dict[str, str] | None = None,
        num_tries: int = 1,
        method: Literal["get", "post"] = "post",
    ) -> Any:
        answer = ask(url, params or {}, seconds=self._seconds)
        software = answer["software"]
        self._release = f"{software['name']} {software['version']} of {software['buildDate']}"
        return answer
