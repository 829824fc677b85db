"""The environment of models asks for CUDA builds, by a real solver and a made-up channel.

The channel has what conda-forge says of torch: builds for the CPU, CUDA 12 and CUDA 13, of which
those for CUDA need a GPU, or the variable that stands for one.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from rattler import (
    Channel,
    SparseRepoData,
    VirtualPackage,
    VirtualPackageOverrides,
    solve_with_sparse_repodata,
)
from rattler.exceptions import SolverError

ROOT = Path(__file__).resolve().parents[2]
SPECS = yaml.safe_load((ROOT / "envs" / "models.yaml").read_text(encoding="utf-8"))["dependencies"]
CUDA = {"12.9": "cuda129", "13.0": "cuda130"}


def _package(name: str, version: str, *, build: str = "0", **more: Any) -> dict[str, Any]:
    about = {"name": name, "version": version, "build": build, "build_number": 0}
    return about | {"depends": [], "subdir": "linux-64", "size": 1, "sha256": "0" * 64} | more


def _packages(torch: str) -> list[dict[str, Any]]:
    pins = dict(spec.split(" =") for spec in SPECS)
    made = {"pytorch-gpu", "cuda-version"}
    packages = [_package(name, pins[name]) for name in pins if name not in made]
    packages.append(_package("pytorch", torch, build="cpu_0"))
    for version, build in CUDA.items():
        major = version.partition(".")[0]
        only = [f"__cuda >={major}"]
        packages.append(_package("cuda-version", version, build=build, constrains=only))
        needs = ["__cuda", f"cuda-version >={version},<{int(major) + 1}"]
        packages.append(_package("pytorch", torch, build=f"{build}_0", depends=needs))
        both = [f"pytorch {torch} {build}_0"]
        packages.append(_package("pytorch-gpu", torch, build=f"{build}_1", depends=both))
    return packages


@pytest.fixture
def channel(tmp_path: Path) -> SparseRepoData:
    torch = dict(spec.split(" =") for spec in SPECS)["pytorch-gpu"]
    named = {
        f"{one['name']}-{one['version']}-{one['build']}.tar.bz2": one for one in _packages(torch)
    }
    content = {"info": {"subdir": "linux-64"}, "packages": named, "packages.conda": {}}
    path = tmp_path / "repodata.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return SparseRepoData(Channel("conda-forge"), "linux-64", path)


def _solved(channel: SparseRepoData) -> dict[str, str]:
    detected = VirtualPackage.detect(VirtualPackageOverrides.from_env())
    records = asyncio.run(
        solve_with_sparse_repodata(
            [spec.replace(" =", "=") for spec in SPECS], [channel], virtual_packages=detected
        )
    )
    return {record.name.normalized: str(record.build) for record in records}


@pytest.mark.parametrize("driver", ["12.4", "12.9", "13.0"])
def test_torch_is_built_for_cuda_12_whatever_the_driver(
    driver: str, channel: SparseRepoData, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONDA_OVERRIDE_CUDA", driver)
    solved = _solved(channel)
    assert (solved["pytorch"], solved["pytorch-gpu"]) == ("cuda129_0", "cuda129_1")
    assert len(solved) == len(SPECS) + 1


def test_without_a_gpu_or_the_variable_nothing_is_solved(
    channel: SparseRepoData, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONDA_OVERRIDE_CUDA", "")
    with pytest.raises(SolverError, match="__cuda"):
        _solved(channel)
