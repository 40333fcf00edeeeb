from __future__ import annotations
import json, pathlib, time
from django.db import connection
from django.test.utils import CaptureQueriesContext
from bullbear.content import load_text
from dialogue.models import Report
from dialogue.report.compile import read_document
from dialogue.report.markdown import render_markdown
from tests.driving import Driver, sample_files

def test_try(driver: Driver):
    for folder in ("", "bond_share", "defended", "no_new_exposure"):
        try:
            root = driver.run(driver.open(files=sample_files(folder)) if folder else driver.open())
        except Exception as e:
            import traceback; traceback.print_exc(); continue
        report = Report.objects.get(root=root)
        doc = read_document(report)
        name = folder or "main"
        pathlib.Path(f"/tmp/rep_{name}.json").write_text(json.dumps(doc, indent=1, ensure_ascii=False))
        pathlib.Path(f"/tmp/rep_{name}.md").write_text(render_markdown(doc))
        print(name, root.state, root.result, len(load_text(report.document)))
