"""The rules of deploy/: what is published, who may write, where secrets come from, what is pinned and bounded."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from chartcite import __version__
from chartcite.app.config import PREFIX, SECRETS
from chartcite.app.server.config import ServerConfig
from chartcite.library.settings import Settings
from chartcite.store.engines.opening import POSTGRES

DEPLOY = Path(__file__).parents[2] / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
SECRET_WORDS = re.compile(r"password|token|secret|_key$", re.I)
each_service = pytest.mark.parametrize("service", SERVICES.values(), ids=SERVICES)


def environment(service: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = service.get("environment", {})
    return found


@each_service
def test_an_image_has_a_version(service: dict[str, Any]) -> None:
    name, _, tag = service["image"].rpartition(":")
    assert name
    assert re.match(r"\d+\.\d+", tag), "no `latest`, and no major version that moves"


def test_our_own_image_is_of_this_version() -> None:
    assert {s["image"] for s in SERVICES.values() if s["image"].startswith("chartcite:")} == {
        f"chartcite:{__version__}"
    }


def test_only_the_server_is_published_and_nothing_else_has_a_way_out() -> None:
    assert [name for name, s in SERVICES.items() if s.get("ports")] == ["server"]
    assert COMPOSE["networks"]["inside"]["internal"] is True
    for name, service in SERVICES.items():
        assert service["networks"] == (["front", "inside"] if name == "server" else ["inside"])
        assert "network_mode" not in service


@each_service
def test_a_service_is_hardened(service: dict[str, Any]) -> None:
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert service["user"].split(":")[0] not in {"0", "root"}
    assert not service.get("privileged")
    assert service["read_only"] or service["image"].startswith("opensearchproject/"), "its start script writes"
    assert not any("docker.sock" in str(v) for v in service.get("volumes", []))


@each_service
def test_a_service_is_bounded_and_watched(service: dict[str, Any]) -> None:
    limits = service["deploy"]["resources"]["limits"]
    assert limits["memory"]
    assert limits["cpus"]
    assert service["pids_limit"]
    assert service["logging"]["options"]["max-size"]
    assert service["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}
    assert service["restart"] == "unless-stopped"


@each_service
def test_no_secret_is_in_an_environment_or_a_command(service: dict[str, Any]) -> None:
    for name, value in environment(service).items():
        if SECRET_WORDS.search(name) and name != "RAY_TLS_SERVER_KEY":
            assert name.endswith(("_FILE", "_PATH")), name
        if name.endswith(("_FILE", "_PATH")) or name.startswith("RAY_TLS"):
            assert str(value).startswith("/run/secrets/")
            assert str(value).removeprefix("/run/secrets/") in names_of(service), "the service is not given it"
    assert not SECRET_WORDS.search(re.sub(r"/run/secrets/\w+|password_encryption", "", str(service.get("command", ""))))


def names_of(service: dict[str, Any]) -> set[str]:
    return {s if isinstance(s, str) else s["source"] for s in service.get("secrets", [])}


def test_every_secret_is_a_file_outside_the_repository_and_somebody_needs_it() -> None:
    used = set().union(*(names_of(s) for s in SERVICES.values()))
    assert used == set(COMPOSE["secrets"])
    assert all(set(s) == {"file"} and s["file"].startswith("./secrets/") for s in COMPOSE["secrets"].values())
    assert "secrets/" in (DEPLOY / ".gitignore").read_text("utf-8")
    assert not (DEPLOY / "secrets").exists() or not tracked(DEPLOY / "secrets")


def tracked(folder: Path) -> bytes:
    return subprocess.run(["git", "ls-files", folder], cwd=DEPLOY, capture_output=True, check=False).stdout


def test_volumes_are_declared_and_files_are_there() -> None:
    for service in SERVICES.values():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            if source.startswith("./"):
                assert (DEPLOY / source).is_file(), source
                assert volume.endswith(":ro")
            elif not source.startswith("${"):
                assert source in COMPOSE["volumes"]


def test_settings_that_are_used_exist() -> None:
    said = tomllib.loads((DEPLOY / "chartcite.toml").read_text("utf-8"))
    serve = said.pop("serve")
    assert set(said) <= {*Settings.model_fields, "store"}
    assert set(serve) <= {field.name for field in dataclasses.fields(ServerConfig)}
    Settings(**{k: v for k, v in said.items() if k != "store"})
    server = ServerConfig(
        Path(said["store"]), Settings(audit_key=said["audit_key"]), **{**serve, "allowed_hosts": ("a",)}
    )
    server.check()
    for service in SERVICES.values():
        for name in environment(service):
            if name.startswith(PREFIX):
                assert name.removeprefix(PREFIX).removesuffix("_FILE").lower() in SECRETS
    assert f":{serve['port']}" in SERVICES["server"]["ports"][0]
    assert set(tomllib.loads((DEPLOY / POSTGRES).read_text("utf-8"))) <= {"url", "schema", "password_file"}


def test_secrets_named_in_settings_are_given_to_the_server() -> None:
    text = (DEPLOY / "chartcite.toml").read_text("utf-8") + (DEPLOY / POSTGRES).read_text("utf-8")
    assert set(re.findall(r"/run/secrets/(\w+)", text)) <= names_of(SERVICES["server"])


def test_the_role_is_the_one_of_the_documentation() -> None:
    page = (DEPLOY.parent / "docs" / "cluster.md").read_text("utf-8")
    documented = json.loads(page.split("## The least role")[1].split("```json")[1].split("```")[0])
    assert yaml.safe_load((DEPLOY / "roles.yml").read_text("utf-8"))["chartcite"] == documented


def instructions() -> Iterator[tuple[str, str]]:
    joined = (DEPLOY / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    for line in joined.splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, rest = line.partition(" ")
            yield name, rest.strip()


def test_the_image_is_built_from_pinned_parts_and_runs_as_nobody() -> None:
    found = list(instructions())
    for name, rest in found:
        if name == "FROM":
            assert re.search(r":\d+\.\d+\.\d+", rest), "a base image has its whole version"
        assert name != "ADD"
        assert not (name == "RUN" and re.search(r"sudo|curl|wget|\| *(ba)?sh|apt-get", rest))
        assert not (name in {"ENV", "ARG"} and re.search(r"PASSWORD|TOKEN|SECRET", rest))
        if "pip install" in rest:
            assert "--no-cache-dir" in rest
    names = [name for name, _ in found]
    last_stage = names[len(names) - names[::-1].index("FROM") :]
    assert last_stage.index("USER") < last_stage.index("ENTRYPOINT")
    assert "HEALTHCHECK" in last_stage
    assert next(rest for name, rest in found if name == "USER").split(":")[0].isdigit()
    for name, rest in found:
        if name in {"ENTRYPOINT", "CMD"}:
            assert rest.startswith("["), "signals reach the process itself"


def test_what_the_image_copies_is_not_ignored() -> None:
    kept = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8")
    for name, rest in instructions():
        if name == "COPY" and not rest.startswith("--from"):
            for source in rest.split()[:-1]:
                assert f"!{source.rstrip('/')}" in kept
                assert (DEPLOY.parent / source).exists()


def test_compose_itself_takes_it(tmp_path: Path) -> None:
    docker = shutil.which("docker")
    has = docker and not subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode
    if not docker or not has:
        pytest.skip("no docker with the compose plugin")
    shutil.copytree(DEPLOY, tmp_path / "deploy")
    subprocess.run([docker, "compose", "config", "--quiet"], cwd=tmp_path / "deploy", check=True)
