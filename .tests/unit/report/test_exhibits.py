"""Tables and figures under the questions that they answer."""

from pathlib import Path

from hinter.declarations import declared
from hinter.report.exhibits import QUESTIONS, read_exhibits

PNG = b"\x89PNG\r\n"


def _declared(question: str, title: str, caption: str = "") -> dict[str, str]:
    return {"question": question, "title": title, "caption": caption}


def test_every_declared_category_has_its_question() -> None:
    made = [*declared("tables"), *declared("figures")]
    assert {each.category for each in made if not each.published} == {*QUESTIONS}


def test_exhibits_stand_under_their_questions_in_the_order_of_the_page(tmp_path: Path) -> None:
    table, figure = tmp_path / "t.html", tmp_path / "f.png"
    table.write_text("<html><head><style>x</style></head><body><p>a</p>\n</body></html>")
    figure.write_bytes(PNG)
    told = [_declared("Data", "a"), _declared("RQ1", "b"), _declared("RQ1", "c")]
    found = read_exhibits(told, [str(table), str(figure), str(table)], rows={})
    assert [(name, [each.title for each in group]) for name, _, group in found] == [
        ("RQ1", ["b", "c"]),
        ("Data", ["a"]),
    ]
    assert found[0][2][1].shown == "<p>a</p>\n"
    assert 'src="data:image/png;base64,iVBORw0K"' in found[0][2][0].shown


def test_captions_are_escaped_but_for_their_emphasis(tmp_path: Path) -> None:
    table = tmp_path / "t.html"
    table.write_text("<body></body>")
    caption = "*n* of `x` < 3 ``y`` <script>*\n"
    ((_, _, (exhibit,)),) = read_exhibits([_declared("RQ1", "a", caption)], [str(table)], rows={})
    assert exhibit.caption == ("<em>n</em> of <code>x</code> &lt; 3 <code>y</code> &lt;script&gt;*")


def test_a_title_with_quotes_ends_no_attribute(tmp_path: Path) -> None:
    figure = tmp_path / "f.png"
    figure.write_bytes(PNG)
    ((_, _, (exhibit,)),) = read_exhibits([_declared("RQ1", 'a "b" <i>')], [str(figure)], rows={})
    assert 'alt="a &quot;b&quot; &lt;i&gt;"' in exhibit.shown
