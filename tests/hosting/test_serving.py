"""The folder of the pages on a port: files only, and nothing outside it."""

from pathlib import Path

import pytest
from aiohttp.test_utils import TestClient, TestServer

from bot.hosting.serving import application


async def test_only_the_pages_are_served(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "1" / "season-7").mkdir(parents=True)
    (site / "1" / "index.html").write_text("front")
    (site / "1" / "season-7" / "index.html").write_text("season")
    (site / "1" / ".fairpair").write_text("{}")
    (site / "1" / "notes.txt").write_text("no page")
    (tmp_path / "secret.html").write_text("secret")
    (site / "1" / "out.html").symlink_to(tmp_path / "secret.html")
    async with TestClient(TestServer(application(site))) as client:
        for path in ("/1/", "/1/index.html"):
            answer = await client.get(path)
            assert (answer.status, await answer.text()) == (200, "front")
            assert answer.content_type == "text/html"
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert (await (await client.get("/1/season-7")).text()) == "season"
        for path in ("/", "/1/.fairpair", "/1/notes.txt", "/1/out.html", "/2/", "/1/%2e%2e/%2e%2e/secret.html"):
            assert (await client.get(path)).status == 404, path
        for path in ("/1//index.html", "/..%2fsecret.html", "/1/index.html%00", "/1\\index.html"):
            assert (await client.get(path)).status == 404, path
        for method in ("POST", "PUT", "DELETE"):
            assert (await client.request(method, "/1/index.html")).status == 405
        assert (await client.head("/1/")).status == 200


@pytest.mark.parametrize("path", ["/1", "/1/season-7"])
async def test_a_folder_without_its_slash_leads_to_it(tmp_path: Path, path: str) -> None:
    (tmp_path / "1" / "season-7").mkdir(parents=True)
    for page in ("1/index.html", "1/season-7/index.html"):
        (tmp_path / page).write_text("page")
    async with TestClient(TestServer(application(tmp_path))) as client:
        answer = await client.get(path, allow_redirects=False)
        assert (answer.status, answer.headers["Location"]) == (308, f"{path}/")
