"""scripts/report --follow: pages that are made anew beside a campaign that runs, is killed and goes on, or loses its file."""

import http.client
import http.server
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
import unittest

import campaign
from campaign import SMALL_DECK, read_ensemble
from cli_test_case import DONE, CliTest

BROWSER = "chromium-headless-shell"


class Follow(CliTest):
    def setUp(self):
        super().setUp()
        self.page = self.folder / "campaign.html"

    def follow(self, *options):
        command = [campaign.ROOT / "scripts" / "report", self.file.name, "--follow=0.2", *options]
        process = subprocess.Popen(command, cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   env=os.environ | {"RODEO": campaign.RODEO})
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def wait_for(self, pattern, process):
        """The first page with the pattern."""
        page = ""
        while not re.search(pattern, page):
            self.assertIsNone(process.poll(), page[:3000])
            time.sleep(0.02)
            page = self.page.read_text(encoding="utf-8") if self.page.exists() else ""
            self.assertTrue(not page or page.rstrip().endswith("</html>"), "half a page")
        return page

    def begin(self, deck, *options):
        process = self.start("run", self.deck(deck), "--output", self.file, *options)
        campaign.wait_until(self.file.exists, process)
        return process

    def test_it_follows_to_the_end_and_does_not_disturb_the_campaign(self):
        deck = SMALL_DECK.replace("[study]", "[study]\nobjective = end_z").replace("end = 2", "end = 60")
        process = self.begin(deck)
        with campaign.held(process):
            report = self.follow()
            page = self.wait_for("Running</b>", report)
        self.assertRegex(page, r'<body data-refresh="[0-9.]+">')
        self.assertRegex(page, r"[0-9.]+ % of the work done, (about [0-9.]+ (s|min|h)|time) ")
        self.assertEqual(process.wait(), DONE)
        said, _ = report.communicate()
        self.assertEqual(report.returncode, 0, said)
        self.assertEqual(said.splitlines(), ["Report: campaign.html", "campaign.h5 is complete"])
        page = self.page.read_text(encoding="utf-8")
        self.assertNotIn("data-refresh=", page.partition("<script>")[0])
        ensemble = read_ensemble.Ensemble(self.file)
        best = ensemble.observables["end_z"].max()
        for part in ("<b class=good>Complete</b>", "12 of 12 members finished", f"Best end_z: <b>{best:.6g} m</b>", "By rank"):
            self.assertIn(part, page)
        table = page.partition('id="members"')[2].partition("</table>")[0]
        self.assertEqual(table.count("<tr>"), 1 + 12)
        self.assertEqual(table.count("data-v="), 12)
        self.succeed("run", self.deck(deck), "--output", "alone.h5")
        self.assertEqual(campaign.differences(ensemble, read_ensemble.Ensemble(self.folder / "alone.h5")), [])
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"alone.h5", "campaign.h5", "campaign.html", "deck.ini"})

    def test_a_campaign_that_is_killed_and_resumed(self):
        process = self.begin(campaign.waiting_deck((0.5,), 12))
        campaign.wait_for_members(self.file, 1, process)
        with campaign.held(process):
            report = self.follow()
            self.wait_for("Running</b>(?s:.*)[1-9] of 12 members", report)
            process.kill()
        page = self.wait_for("Stopped</b> with", report)
        self.assertIn("rodeo resume campaign.h5", page)
        resumed = self.start("resume", self.file)
        campaign.wait_until(lambda: read_ensemble.Ensemble(self.file).attributes["resumes"] == 1, resumed)
        with campaign.held(resumed):
            self.wait_for("(?s)Running</b>.*resumed 1 time", report)
        self.assertEqual(resumed.wait(), DONE)
        said, _ = report.communicate()
        self.assertEqual(report.returncode, 0, said)
        self.assertIn("campaign.h5 is not being written: waits for rodeo resume campaign.h5", said)
        self.assertIn("campaign.h5 goes on\n", said)
        self.assertIn("12 of 12 members finished", self.page.read_text(encoding="utf-8"))

    def test_ctrl_c_leaves_a_page_that_asks_for_no_other(self):
        process = self.begin(campaign.waiting_deck((3600,)))
        report = self.follow()
        self.wait_for("data-refresh=", report)
        report.send_signal(signal.SIGINT)
        self.assertEqual(report.wait(), 128 + signal.SIGINT)
        self.assertIn("<body><h1>campaign.h5", self.page.read_text(encoding="utf-8"))
        self.assertNotIn("Traceback", report.stdout.read())
        self.assertIsNone(process.poll())

    def test_a_half_written_file_is_waited_for_and_one_that_vanishes_is_a_sentence(self):
        self.succeed("run", self.deck(campaign.waiting_deck((0,), 3)), "--output", "whole.h5")
        self.succeed("run", self.deck(campaign.waiting_deck((0,), 5)), "--output", "other.h5", "--wall-time=1:00")
        whole = (self.folder / "whole.h5").read_bytes()
        self.file.write_bytes(whole[: len(whole) // 3])
        report = self.follow()
        said = report.stdout.readline() + report.stdout.readline()
        self.assertRegex(said, r"Report: campaign.html\nWaits up to 10 s: .*campaign.h5")
        self.file.write_bytes(whole)
        self.assertEqual(report.wait(), 0, report.stdout.read())
        self.assertIn("3 of 3 members finished", self.page.read_text(encoding="utf-8"))

        self.file.unlink()
        self.page.unlink()
        self.begin(campaign.waiting_deck((3600,)))
        report = self.follow()
        self.wait_for("Running</b>", report)
        self.file.unlink()
        said, _ = report.communicate()
        self.assertEqual(report.returncode, 1)
        self.assertIn("report: campaign.h5 was removed or moved away while it was followed", said)
        self.assertNotIn("Traceback", said)

        self.page.unlink()
        self.begin(campaign.waiting_deck((3600,)))
        report = self.follow()
        self.wait_for("Running</b>", report)
        os.replace(self.folder / "other.h5", self.file)
        said, _ = report.communicate()
        self.assertEqual(report.returncode, 0, said)
        self.assertIn("campaign.h5 was replaced by another file: the page is about that one now", said)
        self.assertIn("5 of 5 members finished", self.page.read_text(encoding="utf-8"))

    def test_a_page_of_somebody_else_is_left_alone(self):
        self.succeed("run", self.deck(campaign.waiting_deck((0,))), "--output", self.file)
        self.page.write_text("mine")
        said, _ = self.follow().communicate()
        self.assertIn("report: campaign.html is there already and was not made by rodeo", said)
        self.assertEqual(self.page.read_text(), "mine")

    def test_it_serves_this_machine_alone(self):
        self.begin(campaign.waiting_deck((3600,)))
        report = self.follow("--serve=0")
        port = int(re.search(r", at http://127.0.0.1:([0-9]+)/$", report.stdout.readline())[1])
        self.wait_for("Running</b>", report)

        def answer(path, host=f"127.0.0.1:{port}"):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.request("GET", path, headers={"Host": host})
            reply = connection.getresponse()
            return reply.status, reply.read().decode()

        status, page = answer("/")
        self.assertEqual(status, 200)
        self.assertIn('<body data-refresh="', page)
        self.assertEqual(answer("/", f"localhost:{port}")[0], 200)
        self.assertEqual(answer("/../campaign.h5")[0], 404)
        self.assertEqual(answer("/", f"elsewhere.example:{port}")[0], 403)
        for address in {entry[4][0] for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} | {"127.0.0.2"}:
            if address != "127.0.0.1":
                with self.assertRaises(OSError, msg=address):
                    socket.create_connection((address, port), timeout=1)
        said, _ = self.follow(f"--serve={port}", "-o", "second.html").communicate()
        self.assertIn(f"report: nothing can be served at port {port} of 127.0.0.1", said)

    def test_serving_needs_following(self):
        command = [campaign.ROOT / "scripts" / "report", "x.h5", "--serve"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertIn("--serve needs --follow", done.stderr)

    @unittest.skipUnless(shutil.which(BROWSER), "no browser: scripts/install_dependencies --seeing")
    def test_a_browser_sorts_members_and_takes_the_next_page(self):
        self.succeed("run", self.deck(), "--study.objective=total_energy", "--output", self.file)
        self.assertEqual(self.follow().wait(), 0)
        page = self.page.read_text(encoding="utf-8")
        # What a person does, and what there is to see before and after the next page has come.
        look = """<script>addEventListener("load", () => {
          const look = () => { const table = document.getElementById("members");
            return [...table.tBodies[0].rows].filter(row => !row.hidden).map(row => row.cells[0].textContent).join() + " " +
              [...table.tHead.rows[0].cells].map(cell => cell.getAttribute("aria-sort") || "-").join(); };
          const seen = [look()];
          const head = () => document.getElementById("members").tHead.rows[0].cells[2];
          head().click(); seen.push(look());
          head().click(); seen.push(look());
          const field = document.querySelector("input[data-table=members]");
          field.value = "DONE"; field.dispatchEvent(new Event("input")); seen.push(look());
          setTimeout(() => { seen.push(document.querySelector("h1").textContent, look()); document.title = seen.join("|"); }, 6000);
        })</script>"""
        first = page.replace("<body>", '<body data-refresh="1">').replace("</html>", look + "</html>")
        pages = [first, page.replace("<h1>campaign.h5", "<h1>next page")]
        given = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                content = (pages[min(len(given), 1)] if self.path == "/" else "").encode()
                given.extend([self.path] if self.path == "/" else [])
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            dump = subprocess.run([BROWSER, "--no-sandbox", "--disable-gpu", "--virtual-time-budget=9000", "--dump-dom",
                                   f"http://127.0.0.1:{server.server_address[1]}/"], capture_output=True, text=True, check=True).stdout
        finally:
            server.shutdown()
            thread.join()
            server.server_close()
        before, up, down, filtered, heading, after = re.search("<title>(.*)</title>", dump)[1].split("|")
        ensemble = read_ensemble.Ensemble(self.file)
        members = list(range(len(ensemble)))
        self.assertEqual(before, ",".join(map(str, members)) + " " + ",".join("-" * before.split()[1].count(",")) + ",-")
        by_time = sorted(members, key=lambda member: ensemble.wall_seconds[member])
        self.assertEqual(up.split()[0], ",".join(map(str, by_time)))
        self.assertIn("-,-,ascending,-", up)
        self.assertEqual(sorted(down.split()[0].split(","), key=int), list(map(str, members)))
        self.assertEqual([ensemble.wall_seconds[int(member)] for member in down.split()[0].split(",")],
                         sorted(ensemble.wall_seconds, reverse=True))
        self.assertEqual(set(filtered.split()[0].split(",")),
                         {str(member) for member in members if ensemble.status[member] == read_ensemble.DONE})
        self.assertLess(filtered.count(","), down.count(","))
        self.assertEqual((heading, after), ("next page", filtered))


if __name__ == "__main__":
    unittest.main()
