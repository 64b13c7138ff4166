"""Pages about a campaign that are made anew while it goes on, and served to this machine alone if that is asked for."""

from __future__ import annotations

import contextlib
import http.server
import os
import pathlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from .ensemble import Ensemble
from .errors import RodeoError
from .own_files import require_ours, staged
from .program import status

PATIENCE = 10.0  # s for which a file may be missing or half-written
LARGEST_SHARE = 0.2  # of a core, which pages may take from the campaign
BODY = "<body>"
AWAITED = ("<!doctype html><meta charset=utf-8><title>rodeo</title><meta http-equiv=refresh content=1>"
           "<p>The first page is being made.</p>")


class Published:
    """The newest page: in a file that is whole at any instant, and for who asks the server."""

    def __init__(self, output: pathlib.Path):
        require_ours(output)
        self._output = output
        self.page = AWAITED

    def publish(self, page: str) -> None:
        self.page = page
        with staged(self._output) as file:
            file.write_text(page, encoding="utf-8")


@contextlib.contextmanager
def served(published: Published, port: int | None) -> Iterator[str | None]:
    """The address at which this machine finds the newest page, on the loopback interface alone; None without a port, and for port
    0 any that is free."""
    if port is None:
        yield None
        return

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            # A page elsewhere could else have a name of its own made to mean this machine, and read what is served here.
            host = self.headers.get("Host", "").partition(":")[0]
            if host not in ("127.0.0.1", "localhost"):
                self.send_error(403)
            elif self.path != "/":
                self.send_error(404)
            else:
                content = published.page.encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                with contextlib.suppress(OSError):  # who asked went away
                    self.wfile.write(content)

        def log_message(self, *_):
            pass

    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
    except (OSError, OverflowError) as error:
        raise RodeoError(f"nothing can be served at port {port} of 127.0.0.1 ({error}); 0 takes any that is free") from error
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Look:
    """What a path names at an instant."""

    def __init__(self, path: str):
        try:
            found = os.stat(path)
        except OSError as error:
            raise RodeoError(f"{path} is not there") from error
        self.file = (found.st_dev, found.st_ino)
        self.state = (self.file, found.st_mtime_ns, found.st_size)


def core_seconds() -> float:
    """What this process and those that it has waited for took of cores so far."""
    return sum(os.times()[:4])


def follow(path: str, published: Published, make_page: Callable[[Ensemble, dict[str, Any] | None], str], seconds: float,
           say: Callable[[str], None]) -> None:
    """Publishes a page about the file whenever that has changed, at most every so many seconds, until its study is complete. A
    campaign that is stopped may be resumed meanwhile. RodeoError if the file is missing or cannot be read for a while."""
    page, shown, running, since = "", None, None, None
    try:
        while True:
            began, used = time.monotonic(), core_seconds()
            try:
                look = Look(path)
                # Asked before the file is read: what the campaign wrote before it ended is then in what is read.
                standing = status(path)
                now = (look.state, standing and standing["running"])
                changed = now != shown
                if changed:
                    ensemble = Ensemble(path)
                    page = make_page(ensemble, standing)
                    if shown is not None and look.file != shown[0][0]:
                        say(f"{path} was replaced by another file: the page is about that one now")
                    shown = now
                    if standing["complete"] and not standing["running"] if standing else ensemble.complete:
                        return
                since = None
            except (RodeoError, OSError, ValueError, LookupError) as error:
                since = since or began
                if time.monotonic() - since > PATIENCE:
                    if not os.path.exists(path) and shown is not None:
                        raise RodeoError(f"{path} was removed or moved away while it was followed") from error
                    if isinstance(error, (RodeoError, OSError)):
                        raise
                    raise RodeoError(f"no page can be made of {path} ({error!r})") from error
                if since == began:
                    say(f"Waits up to {PATIENCE:.0f} s: {error}")
                time.sleep(0.5)
                continue
            if standing and running is not False and not standing["running"]:
                say(f"{path} is not being written: waits for rodeo resume {path}; Ctrl-C ends")
            if standing and running is False and standing["running"]:
                say(f"{path} goes on")
            running = standing and standing["running"]
            pause = max(seconds, (core_seconds() - used) / LARGEST_SHARE)
            if changed:
                published.publish(page.replace(BODY, f'<body data-refresh="{pause:.1f}">', 1))
            time.sleep(pause)
    finally:
        if page:
            published.publish(page)  # which nobody makes anew any more
