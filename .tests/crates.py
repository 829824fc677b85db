"""Whether an RO-Crate is valid, as the validator of its makers says, without a network."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import rocrate
from requests import PreparedRequest, Response
from requests.adapters import HTTPAdapter
from requests_cache import CachedSession
from rocrate_validator.models import Severity, ValidationSettings
from rocrate_validator.services import validate
from urllib3 import HTTPResponse

CONTEXT = "https://w3id.org/ro/crate/1.1/context"
# The terms whose addresses RO-Crate 1.3, whose context comes with the library, has changed.
BIOSCHEMAS = "https://bioschemas.org"
OF_1_1 = {
    "ComputationalWorkflow": f"{BIOSCHEMAS}/ComputationalWorkflow",
    "FormalParameter": f"{BIOSCHEMAS}/FormalParameter",
    "input": f"{BIOSCHEMAS}/ComputationalWorkflow#input",
    "output": f"{BIOSCHEMAS}/ComputationalWorkflow#output",
}


def faults_of(crate: Path, *, cache: Path) -> dict[str, set[str]]:
    """Return what is wrong with the crate in a folder, by severity (REQUIRED, RECOMMENDED).

    The validator is given the context that it would fetch, in the file `cache`.
    """
    _keep_context(cache)
    settings = ValidationSettings(
        rocrate_uri=str(crate),
        profile_identifier="workflow-run-crate",
        requirement_severity=Severity.RECOMMENDED,
        cache_path=cache,
        offline=True,
        skip_availability_check=True,
    )
    issues = validate(settings).get_issues()
    found: dict[str, set[str]] = {"REQUIRED": set(), "RECOMMENDED": set()}
    for issue in issues:
        found[issue.severity.name].add(f"{issue.violatingEntity}: {issue.message}")
    return found


class _Context(HTTPAdapter):
    """Answers with the context in the place of its server."""

    def send(self, request: PreparedRequest, *_: Any, **__: Any) -> Response:
        path = Path(rocrate.__file__).parent / "data" / "ro-crate.jsonld"
        known = json.loads(path.read_text(encoding="utf-8"))
        told = json.dumps({"@context": {**known["@context"], **OF_1_1}}).encode()
        answer = HTTPResponse(
            body=BytesIO(told),
            headers={"Content-Type": "application/ld+json"},
            status=200,
            preload_content=False,
            request_url=request.url,
        )
        return self.build_response(request, answer)


def _keep_context(cache: Path) -> None:
    with CachedSession(str(cache), backend="sqlite") as session:
        session.mount(CONTEXT, _Context())
        session.get(CONTEXT)
