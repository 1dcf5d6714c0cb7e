"""Opens a host's page at /docs in Chromium as a person does: uploads a picture, calls, looks at what comes back.

    docs_page.py CHROMIUM URL PICTURE FOLDER KITCHEN

Nothing but the hosts may be asked for anything. The folder gets screenshots, for people to look at.
"""

from __future__ import annotations

import pathlib
import sys

from playwright.sync_api import Page, Request, sync_playwright


def shows_overlay(page: Page, picture: str, folder: pathlib.Path) -> None:
    card = page.locator("#vision__segment")
    card.scroll_into_view_if_needed()
    card.locator("input[type=file]").set_input_files(picture)
    card.get_by_role("button", name="Call").click()
    overlay = card.locator(".result img").first
    overlay.wait_for(timeout=60_000)
    sizes = "image => [image.naturalWidth, image.naturalHeight]"
    chosen = card.locator(".drop img").evaluate(sizes)
    assert overlay.evaluate(sizes) == chosen and chosen[0] > 0, (overlay.evaluate(sizes), chosen)
    assert "objects" in card.locator(".result").inner_text()
    card.screenshot(path=folder / "segment.png")


def says_what_is_wrong(page: Page, picture: str, folder: pathlib.Path) -> None:
    card = page.locator("#vision__edges")
    card.locator("input[type=file]").set_input_files(picture)
    card.locator("label:has(b:text-is('low')) input").fill("300")
    card.get_by_role("button", name="Call").click()
    error = card.locator(".error")
    error.wait_for(timeout=60_000)
    assert "above" in error.inner_text(), error.inner_text()
    card.screenshot(path=folder / "refused.png")


def lays_pictures_out(page: Page, pictures: list[str], folder: pathlib.Path) -> None:
    card = page.locator("#vision__contact_sheet")
    card.locator("input[type=file]").set_input_files(pictures)
    card.get_by_role("button", name="Call").click()
    card.locator(".result img").wait_for(timeout=60_000)
    assert card.locator(".drop img").count() == len(pictures)
    card.screenshot(path=folder / "sheet.png")


def takes_what_may_be_left_out(page: Page, folder: pathlib.Path) -> None:
    """Words and numbers as a person writes them, not as JSON."""
    card = page.locator("#kitchen__optional")
    card.wait_for()
    assert card.locator("textarea").count() == 0
    card.locator("label:has(b:text-is('guests')) input").fill("3")
    card.locator("label:has(b:text-is('cloth')) input").fill("red")
    card.get_by_role("button", name="Call").click()
    card.locator(".result h3").first.wait_for(timeout=60_000)
    said = card.locator(".result").inner_text()
    assert "3" in said and "red" in said, said
    card.screenshot(path=folder / "optional.png")


def main(chromium: str, url: str, picture: str, folder_name: str, kitchen: str) -> None:
    folder = pathlib.Path(folder_name)
    elsewhere: list[str] = []
    said: list[str] = []

    def asked(request: Request) -> None:
        if not request.url.startswith((url, kitchen, "data:", "blob:")):
            elsewhere.append(request.url)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, scheme, width in [("light", "light", 1280), ("dark", "dark", 1280), ("narrow", "light", 420)]:
            page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 900})
            page.on("request", asked)
            page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
            page.on("pageerror", lambda error: said.append(str(error)))
            page.goto(f"{url}/docs")
            page.locator("#vision__segment").wait_for()
            if name == "light":
                assert page.locator("article").count() == page.locator("#list a").count() > 5
                page.screenshot(path=folder / "page.png")
                said.clear()
                shows_overlay(page, picture, folder)
                assert not said, said
                # A browser notes a status such as 500 by itself.
                says_what_is_wrong(page, picture, folder)
                lays_pictures_out(page, [picture, picture], folder)
            else:
                shows_overlay(page, picture, folder)
                page.screenshot(path=folder / f"{name}.png")
            wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0, f"{name}: {wide} pixels too wide"
            page.close()
        page = browser.new_page()
        page.on("request", asked)
        page.goto(f"{kitchen}/kitchen/docs")
        takes_what_may_be_left_out(page, folder)
        page.close()
        browser.close()
    assert not elsewhere, elsewhere
    print(f"ok: /docs, screenshots in {folder}")


main(*sys.argv[1:])
