"""A headless browser with WebGL in software, driven through its pipe for debugging."""

import base64
import json
import os
import shutil
import subprocess
import tempfile

BROWSER = shutil.which("chromium-headless-shell") or shutil.which("chromium")
OPTIONS = ("--no-sandbox", "--hide-scrollbars", "--disable-gpu-sandbox", "--use-angle=swiftshader", "--use-gl=angle",
           "--enable-unsafe-swiftshader", "--headless", "--remote-debugging-pipe")  # fmt: skip


class Page:
    """One page: `with Page(path, 1280, 720) as page`. Messages and errors of its scripts are in `said`."""

    def __init__(self, path, width, height, dark=False, touch=False):
        self._number, self.said = 0, []
        self._folder = tempfile.TemporaryDirectory(prefix="rodeo-browser-", ignore_cleanup_errors=True)
        to_read, self._to = os.pipe()
        self._from, to_write = os.pipe()
        # The browser reads from its descriptor 3 and writes to 4.
        command = f'exec "$@" 3<&{to_read} 4>&{to_write}'
        self._process = subprocess.Popen(
            ["bash", "-c", command, "bash", BROWSER, *OPTIONS, f"--user-data-dir={self._folder.name}", "about:blank"],
            pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        os.close(to_read)
        os.close(to_write)
        self._rest, self._session = b"", None
        targets = self.call("Target.getTargets")["targetInfos"]
        target = next(info["targetId"] for info in targets if info["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=touch)
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.navigate", url=path.as_uri())
        while not any(event == "Page.loadEventFired" for event, _ in self.said):
            self._receive()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._session = None
        self.call("Browser.close")
        self._process.wait()
        os.close(self._to)
        os.close(self._from)
        self._folder.cleanup()

    def _receive(self):
        while b"\0" not in self._rest:
            read = os.read(self._from, 1 << 20)
            if not read:
                raise RuntimeError("the browser has ended")
            self._rest += read
        line, _, self._rest = self._rest.partition(b"\0")
        message = json.loads(line)
        if "method" in message:
            self.said.append((message["method"], message["params"]))
        return message

    def call(self, method, **parameters):
        """What the browser answers to a command of its protocol."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while (answer := self._receive()).get("id") != self._number:
            pass
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def ask(self, expression):
        """The value of an expression of JavaScript, awaited."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", str(answer["exceptionDetails"])))
        return answer["result"].get("value")

    def faults(self):
        """What scripts threw, and what the browser refused or warned of."""
        told = [params["exceptionDetails"].get("exception", {}).get("description") for event, params in self.said if event == "Runtime.exceptionThrown"]
        return told + [params["entry"]["text"] for event, params in self.said if event == "Log.entryAdded" and params["entry"]["level"] == "error"]

    def picture(self):
        """The window as a PNG."""
        self.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return base64.b64decode(self.call("Page.captureScreenshot")["data"])

    def press(self, key, text=""):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=text if kind == "keyDown" else "")

    def drag(self, start, end):
        """With the left button, by two moves."""
        middle = [(a + b) / 2 for a, b in zip(start, end)]
        for kind, (x, y), buttons in (("mousePressed", start, 1), ("mouseMoved", middle, 1), ("mouseMoved", end, 1), ("mouseReleased", end, 0)):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=buttons, clickCount=1)

    def touch(self, *steps):
        """Fingers, each step a list of their places."""
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(steps[0])])
        for step in steps[1:]:
            self.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(step)])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
