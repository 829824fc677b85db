"""Thoughts, in the forms that models and servers give them, are not read for labels."""

import pytest
from hinter.models.answers import AnswerParser, FreeTextParser
from hinter.models.answers.thoughts import begins_inside, opens_thought, said_in, thought_end
from hinter.models.model import ParsedAnswer, Status

PARSER = AnswerParser(["negative", "positive"], multi_label=False, none="None")
CHANNELS = "<|channel|>analysis<|message|>positive?<|end|><|start|>assistant"


@pytest.mark.parametrize(
    "answer",
    [
        "<think>\nAt first sight positive.\n</think>\n\nnegative",
        "Looks positive to me, hmm.\n</think>\nnegative",
        "<think>\n\n</think>\n\nnegative",
        "<think>positive, as </think> ends it</think>negative",
        "<THINK>positive</THINK>negative",
        "<thinking>positive</thinking>negative",
        "<reasoning>positive</reasoning>negative",
        "<seed:think>positive</seed:think>negative",
        "<|begin_of_thought|>positive<|end_of_thought|>negative",
        "<|START_THINKING|>positive<|END_THINKING|>negative",
        "[THINK]positive[/THINK]negative",
        "[BEGIN OF THOUGHT]\npositive\n[END OF THOUGHT]\nnegative",
        "[BEGIN THOUGHT]positive[END THOUGHT]\n[BEGIN ANSWER]negative",
        "[Start of Reasoning]positive[End of Reasoning]negative",
        "◁think▷positive◁/think▷negative",
        "<antThinking>positive</antThinking>negative",
        "<inner_monologue>positive</inner_monologue>negative",
        "&lt;think&gt;positive&lt;/think&gt;negative",
        "<cot>positive</cot>negative",
        '<think type="deep">positive</think >negative',
        "<rationale>positive</rationale>negative",
        "<reasoning_content>positive</reasoning_content>negative",
        "<|start_of_reasoning|>positive<|end_of_reasoning|>negative",
        "<｜begin▁of▁thought｜>positive<｜end▁of▁thought｜>negative",
        "<|channel>thought\npositive<channel|>negative",
        "<think>positive</think>\n\n<|begin_of_box|>negative<|end_of_box|>",
        "<mm:think>positive</mm:think>negative",
        f"{CHANNELS}<|channel|>final<|message|>negative",
        "analysispositive, maybeassistantfinalnegative",
        "negative\n<think>or positive?</think>",
        "negative\n<think>or positive",
        "<think>positive <think>or so</think> positive</think>negative",
        "<think>positive</thinking>negative",
        "< think >positive</ think >negative",
        "<thinking>a</thinking>positive</thinking>negative",
        "[thinking]positive[/thinking]negative",
        "<|thinking|>positive<|/thinking|>negative",
        "<|im_start|>think\npositive<|im_start|>answer\nnegative",
        "Here is my thought process: positive. Here is my response: negative",
        "Here are my reasoning steps:\npositive\n[BEGIN FINAL RESPONSE]\nnegative",
        '<details type="reasoning">\n<summary>Thought</summary>\npositive</details>\nnegative',
        "<working_out>positive</working_out>negative",
        "positive<end_working_out>negative",
        "<deliberation>positive</deliberation>negative",
        "＜think＞positive＜/think＞negative",
        "<think>positive</think><|channel|>final<|message|>negative",
        "analysispositive?assistantcommentarypositiveassistantfinalnegative",
    ],
)
def test_labels_are_read_outside_thoughts(answer: str) -> None:
    status, outcome, said, _ = PARSER.read(answer)
    assert (status, outcome) == (Status.OK, ("negative",))
    assert said is not None and "positive" not in said
    assert FreeTextParser().read(answer).answer == said


@pytest.mark.parametrize(
    "answer",
    [
        "<think>\nIt could be positive",
        "[THINK]positive",
        "<|channel>thought",
        CHANNELS,
        "analysisThe review is positive because",
    ],
)
def test_a_thought_that_is_cut_says_nothing(answer: str) -> None:
    assert PARSER.read(answer, cut=True) == ParsedAnswer(Status.UNPARSED, None, "")
    assert FreeTextParser().read(answer) == ParsedAnswer(Status.UNPARSED, None, "")


@pytest.mark.parametrize("answer", ["I think it is positive ", "\npositive [reason: a joke]", ""])
def test_an_answer_without_thoughts_stays_as_it_is(answer: str) -> None:
    assert said_in(answer) == answer
    assert thought_end(answer) == 0
    assert not begins_inside(answer)


def test_a_thought_may_begin_in_the_prompt() -> None:
    assert opens_thought("<|im_start|>assistant\n<think>\n")
    assert not opens_thought("<|im_start|>assistant\n<think>\n\n</think>\n\n")
    assert begins_inside("hmm</think>positive")
    assert not begins_inside("<think>hmm</think>positive")
    assert thought_end("hmm</think>positive") == len("hmm</think>")
