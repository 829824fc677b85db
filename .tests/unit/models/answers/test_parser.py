"""Answers in words: which labels they name, deny, decline to name, or leave open."""

import re
from collections.abc import Sequence
from cProfile import Profile
from pathlib import Path

import pytest
import yaml
from hinter.corpora import Prompt, label_names
from hinter.errors import InputError
from hinter.models.answers import AnswerParser, FreeTextParser, PartReader
from hinter.models.model import ParsedAnswer, Status
from hypothesis import given, settings
from hypothesis import strategies as st
from models_answers import ONE, OTHERS

ROOT = Path(__file__).resolve().parents[4]
DATASETS = yaml.safe_load((ROOT / "config" / "datasets.yaml").read_text(encoding="utf-8"))
LABELS = {name: list(label_names(sheet).values()) for name, sheet in DATASETS.items()}
SETS = ["ecthr_a", "eurlex", "imdb_50k", "ledgar", "scotus"]
ODD = ["C++", "C", "a.b", "(x)", "[y]|z", "^$", "*", "\\d+", "Straße", "No 4"]
MULTI = {name: AnswerParser(LABELS[name], multi_label=True, none="None") for name in SETS}
SINGLE = {name: AnswerParser(LABELS[name], multi_label=False, none="None") for name in SETS}
ARTICLES = {
    # Whole names.
    "Article 3": "3",
    "article  3, ARTICLE\n8.": "3 8",
    "Art. 3 and Art. 8 ECHR": "3 8",
    "Article 3 §§ 1 and 2 (c)": "3",
    "**Article 3**, _Article 8_": "3 8",
    "- Article 3\n- Article 8": "3 8",
    "- Article 3\n\n- Article 8": "3 8",
    "Article ３": "3",
    "Article\u00a03": "3",
    "Article 35 and Article 3": "3",
    "Article 6 § 1, Article 5(3)": "6 5",
    "Article 8 of the Convention, Article 1 of Protocol 1": "8 P1",
    "Article 1 of Protocol No. 1": "P1",
    "Article 3 of Protocol No. 1 and Article 8": "8",
    # Enumerations.
    "Articles 3 and 8": "3 8",
    "Article 3, 8 and 13": "3 8",
    "Articles 3, 5, and 6": "3 5 6",
    "Article 3 and/or 8": "3 8",
    "Articles 6 § 3 and 8": "6 8",
    "Articles 8 and 1 of Protocol No. 1": "8 P1",
    "Articles 3, 35 and 8": "3 8",
    "1. Article 3\n2. Article 8": "3 8",
    # Denied.
    "Article 8 but not Article 3": "8",
    "Article 8, not Article 3": "8",
    "Not Article 3, Article 8": "8",
    "Article 3 was not violated, but Article 8 was": "8",
    "Article 3 was violated and Article 8 was not.": "3",
    "Article 3 of the Convention wasn’t violated; Article 8 was.": "8",
    "Article 3 (torture) was clearly not violated. Article 8 was.": "8",
    "A violation of Articles 3, 5 and 6; no violation of Article 8": "3 5 6",
    "A violation of Article 5 § 1 and no violation of Article 8": "5",
    "Article 3 violated, Article 8 not violated": "3",
    "Article 2: No\nArticle 3: Yes": "3",
    "Article 2: No, Article 3: Yes": "3",
    "1. Article 3 - he was beaten\n2. Article 8 - no visits": "3 8",
    "Article 3 – no violation. Article 8 – violation.": "8",
    "Not violated: Article 3, Article 5\nViolated: Article 8": "8",
    "No violation of Article 3.\n\nA violation of Article 8.": "8",
    "No violations except Article 3": "3",
    "Article 8 rather than Article 3": "8",
    "Article 3 was violated by not giving him a doctor": "3",
    "Article 3: the applicant was not given a doctor": "3",
    "No, Article 8": "8",
    "Without doubt Article 8": "8",
    # What counts of a long answer.
    "Article 3\n\nText: Article 8": "3",
    "Article 3\nQuestion: Article 8": "3",
    "Article 3\n\nArticle 8 was invoked too.": "3",
    "Here is my answer:\n\nArticle 3": "3",
    "I can see Article 3. I cannot say more.": "3",
    "He alleged violations of Articles 3, 5 and 6. The Court found one of Article 8.": "8",
    "He alleged a violation of Article 3.": "3",
    "Not Article 3, 5 or 6. Article 8 or 10": "8 10",
    "Article 8, not Article 3 or 5": "8",
}
NOTHING = [
    "None",
    '{"articles": []}',
    "none.",
    "Answer: None.",
    "**None**",
    "None. The applicant relied on Article 6.",
    "None, as the case under Article 3 failed",
    "None of the articles were violated",
    "No violation",
    "No violation of Article 3",
    "No articles were violated.",
    "There was no violation of Article 3, Article 5 or Article 6.",
    "The complaint under Article 6 is inadmissible",
    "There is no indication that Article 3 was violated",
    "violated neither Article 3 nor Article 8",
    "neither Article 3, Article 5 nor Article 6",
    "Neither Article 3 nor 8 has been violated",
    "Article 3 wasn't violated",
    "The State did not violate any of them",
    "I cannot find any violation of Article 3",
]
REFUSALS = [
    "I'm sorry, but I can't",
    "I’m sorry, but I can’t help with that.",
    "I cannot provide legal advice.",
    "I cannot say whether Article 3 was violated",
    "I am unable to determine which of Article 3 and Article 8 applies",
    "It is not possible to tell.",
    "There is not enough information.",
    "As an AI language model",
    "I apologize.",
]
UNPARSED = [
    "",
    " \n",
    "Article 35",
    "Article",
    "Articles 2-5",
    "3 and 8",
    "mixed",
    "\nText: Article 3",
]
SENTIMENTS = {
    "positive": "positive",
    " Positive\n\nReview: negative": "positive",
    "not positive, it is negative": "negative",
    "not positive, negative": "negative",
    "Negative rather than positive": "negative",
    "Not negative. Positive!": "positive",
    "Positive, with no negative aspects": "positive",
    "not only positive": "positive",
    "Positive without reservations": "positive",
    "Sentiment: positive. Negative aspects are few": "positive",
    "As an AI, I would say negative": "negative",
    "positive and negative": Status.UNPARSED,
    "It is both. Positive and negative": Status.UNPARSED,
    "non-positive": Status.UNPARSED,
    "positively": Status.UNPARSED,
    "not positive": "negative",
    "There is no positive word": Status.NONE,
    "neither positive nor negative": Status.NONE,
    "I cannot say whether it is positive": Status.REFUSED,
}


# Labels, and the outcome or status of each answer.
READ: list[tuple[list[str], dict[str, str]]] = [
    (
        # EleutherAI/lm-evaluation-harness#4188, groq/openbench#348, openai/simple-evals#33
        ["A", "B", "C"],
        {
            "B": "B",
            "b.": "B",
            "(b)": "B",
            "**B**": "B",
            "B) a nurse": "B",
            "A: the man": "A",
            "Answer: **a**": "A",
            "Option A is a guess": "A",
            "A, because he is a man": "A",
            "I would pick B, a safe choice.": "B",
            "A man would say B.": "B",
            "B because a nurse is kind": "B",
            "As a whole I choose C": "C",
            "b is right": "B",
            "The answer is a": "A",
            "A or a person": "A",
            "Answer: C. A person could be either.": "C",
            "Neither A nor B, so C": "C",
            "It is a tie.": "unparsed",
            "A person": "unparsed",
        },
    ),
    (
        ["hateful", "not_hateful"],
        {
            "hateful": "hateful",
            "Not hateful.": "not_hateful",
            "`not_hateful`": "not_hateful",
            "NOT-HATEFUL": "not_hateful",
            "It isn't hateful": "not_hateful",
            "This is not a hateful text": "not_hateful",
            "It is non-hateful.": "not_hateful",
            "I would not say it is hateful.": "not_hateful",
            "It is hateful, not 'not hateful'": "hateful",
        },
    ),
    (
        ["very_positive", "positive"],
        {
            "very positive": "very_positive",
            "Very_Positive": "very_positive",
            "_positive_": "positive",
        },
    ),
    (
        ["the man", "the woman", "cannot be determined"],
        {
            "the man": "the man",
            "It can't be determined from this.": "cannot be determined",
            "It cannot be determined whether she is the woman or the man": "cannot be determined",
            "It is impossible to tell.": "cannot be determined",
            "There is not enough information": "cannot be determined",
            "The woman. It cannot be the man": "the woman",
            "I'm sorry, I can't help": "refused",
        },
    ),
    (
        ["negative", "positive"],
        {
            '```json\n{"sentiment": "negative"}\n```': "negative",
            "« positive »": "positive",
            "「positive」": "positive",
            "„negative“": "negative",
            "$\\boxed{\\text{negative}}$": "negative",
            "Of two answers, positive and negative: \\boxed{positive}": "positive",
            "The review is far from negative: positive.": "positive",
            "It is positive. Although some words are negative, the whole is not.": "positive",
            "I'd say it's negative, since nothing positive is said.": "negative",
            "Because it is not negative, positive": "positive",
            "1. The words are positive.\n2. But no.\n\nFinal answer: negative": "negative",
            "The first half is positive, the second negative. Overall: negative": "negative",
            "In conclusion, **positive**.": "positive",
            "Hmm, positive... wait, no. Negative.": "negative",
            "Positive. Correction: negative": "negative",
            "Negative, I mean positive.": "positive",
            "Positive. I could hardly wait for it to end.": "positive",
            "Positive or negative? Positive.": "positive",
            "Is it positive? No. It is negative.": "negative",
            "positive?": "positive",
            "pos\u200bitive": "positive",
            "Ｐｏｓｉｔｉｖｅ": "positive",
            "- [ ] negative\n- [x] positive": "positive",
            "[ ] negative  [x] positive": "positive",
            "negative: false\npositive: true": "positive",
            '{"negative": false, "positive": true}': "positive",
            "<answer>positive</answer>": "positive",
            "<label>negative</label>\n<reasons>It is hardly positive.</reasons>": "negative",
            "negative.<|im_end|>\n<|im_start|>user\npositive?": "negative",
            "Lean positive, not strongly negative": "positive",
            "I don't know.": "refused",
            "Answer: negative\nExplanation: it begins in a positive way": "negative",
            "Reasoning: It looks positive at first.\nAnswer: negative": "negative",
            "Thought: positive?\n\nAnswer: negative": "negative",
            "It seems positive.\n\n**Answer:** negative": "negative",
            '{"reasoning": "It looks positive.", "label": "negative"}': "negative",
            '```json\n{"analysis": "Positive words.", "sentiment": "negative"}\n```': "negative",
            '[{"explanation": "Seems positive", "label": "negative"}]': "negative",
            '{"label": "negative", "explanation": "Nothing positive."}': "negative",
            "~~positive~~ negative": "negative",
            "> It is a positive joy.\n\nnegative": "negative",
            "> negative": "negative",
            "> **Positive**\n\nIt praises all of the film but for a negative scene.": "positive",
            "| negative | positive |\n|---|---|\n| ✗ | ✓ |": "unparsed",
            "☐ negative ☑ positive": "positive",
            "❌ negative\n✅ positive": "positive",
            "positive: 0.92, negative: 0.08": "positive",
            "Negative (not positive).": "negative",
            "<b>positive</b>": "positive",
            "__negative__": "negative",
            "#negative": "negative",
            "Between negative and positive, I choose positive.": "positive",
            "Is the sentiment negative or positive? It is positive.": "positive",
            "To say whether it is positive or negative, look at it. It is negative.": "negative",
            "<draft>It is positive.</draft><answer>negative</answer>": "negative",
            "Some say positive.\n<final_answer>negative</final_answer>": "negative",
            "<label>negative</label>": "negative",
            "negative</s>": "negative",
            "→ negative": "negative",
            "It starts positive. Then it turns. So the answer is negative.": "negative",
            "## Analysis\nLooks positive.\n\n## Answer\nnegative": "negative",
            "Analysis: positive words.\nSentiment: negative": "negative",
            "Sentiment: negative\nReason: nothing positive": "negative",
            "Thinking: could be positive\nAnswer - negative": "negative",
            "Reasoning: It is positive.": "positive",
            "Réponse : negative": "negative",
            "negative\n---\nNote: the ending is positive.": "negative",
            "<Thought>positive</Thought>\n<Output>negative</Output>": "negative",
            "More negative than positive.": "negative",
            "More than anything, positive.": "positive",
            "Positive rather than being negative.": "positive",
            "Positive. Actually, no: negative": "negative",
            "Slightly more positive than negative, I'd say.": "positive",
            "Positive. Wait, I misread the irony. Correct label: negative": "negative",
            "The text does not fit either label.": "none",
            "I'm sorry, but I can't repeat the slurs here. The sentiment is negative.": "negative",
            "Is the sentiment of this review positive or negative?\n\nPositive.": "positive",
            'It says "this was a negative experience", yet recommends it: positive': "positive",
        },
    ),
    (
        ["positive", "negative", "neutral"],
        {"You asked whether it is positive, negative or neutral. It is negative.": "negative"},
    ),
    (
        ["yes", "no"],
        {
            "There is no doubt about it: yes.": "yes",
            "No, because it is fair": "no",
            "<|inner_prefix|>Maybe no.<|inner_suffix|>yes<|assistant_end|>": "yes",
        },
    ),
    (
        ["A", "B", "C"],
        {"Option A is incorrect as it does not apply. B is wrong too. Option C is correct.": "C"},
    ),
    (
        ["0", "1"],
        {
            '{"label": 0, "confidence": 1.0}': "0",
            "0.87": "unparsed",
            "1. It attacks a group.\n2. It uses slurs.\n\nLabel: 0": "0",
            "In 2010, 1 person was hurt. This is factual, so the output is 0.": "0",
            "0, or 1 % of cases": "0",
            "The answer is 0 (not hate speech).": "0",
        },
    ),
    ([">50K", "<=50K"], {"The income is **> 50K**.": ">50K", "≤50K": "<=50K", "&gt;50K": ">50K"}),
    (
        ["very good", "good", "bad", "very bad"],
        {"The service was very good, but the overall rating is: bad": "bad"},
    ),
    (
        ["Civil Rights", "Due Process", "First Amendment", "Privacy"],
        {
            "It touches on Civil Rights, but it primarily belongs to Due Process.": "Due Process",
            "First Amendment (freedom of speech, privacy of association)": "First Amendment",
        },
    ),
    (
        ["news/sport", "life_style"],
        {'{"topic": "news\\/sport"}': "news/sport", "life\\_style": "life_style"},
    ),
    (
        ["toxic", "non-toxic"],
        {
            "Toxic": "toxic",
            '"Non-Toxic"': "non-toxic",
            "non_toxic": "non-toxic",
            "It is blunt, but there is nothing toxic about it.": "non-toxic",
            "I don't feel comfortable assigning a label to this content.": "refused",
            "This is not toxic at all": "non-toxic",
            "It is neither toxic nor rude": "non-toxic",
            "hardly toxic": "non-toxic",
        },
    ),
    (
        ["entailment", "neutral", "contradiction"],
        {
            "It is not a contradiction; it is neutral.": "neutral",
            "entailment (not contradiction)": "entailment",
            "Entailment\n\nThe hypothesis is neutral in tone.": "entailment",
            "The answer is entailment because neutral would need more.": "entailment",
            "entailment: 12%\nneutral: 88%\n\nMost likely: contradiction": "contradiction",
        },
    ),
    (
        # What says most clearly that it is the answer.
        ["negative", "positive"],
        {
            "At first glance positive. On closer look, negative.": "unparsed",
            "It begins in a positive way. The end is negative.": "unparsed",
            "The food is positive.\nThe service is negative.": "unparsed",
            "Tone: positive; rating: negative": "negative",
            "Food: positive\nService: negative\nOverall: positive": "positive",
            "sentiment of the start: positive\nsentiment of the end: negative": "unparsed",
            "The overall sentiment of this comment is rather negative, not positive.": "negative",
            "Negative - a harsh look at what was to be a positive event.": "negative",
            "A negative text would be harsher; this is positive.": "positive",
            "If it were negative, it would complain. It does not. Positive.": "positive",
            "Although it begins as positive, it ends up being negative.": "negative",
            "I would have said positive, but for the last line. Negative.": "negative",
            "Positive would be wrong here. Negative.": "negative",
            "I take negative over positive.": "negative",
            "Mostly positive, with a few negative words.": "positive",
            "As an AI, I cannot have views. However, the tone of the text is negative.": "negative",
            "Labels: positive, negative\nText: I hated it.\nAnswer: negative": "negative",
            "Here it is:\n\nText: 'Good'\nSentiment: Positive\n\nAsk me again!": "positive",
            "positive, negative, positive, negative": "unparsed",
        },
    ),
    (
        ["positive", "negative", "neutral"],
        {"Not negative.": "unparsed", "neither negative nor positive": "none"},
    ),
    (["yes", "no"], {"Yes: no rule is against it.": "yes", "Yes - no doubt.": "yes"}),
    (
        ["A", "B", "C", "D"],
        {
            "Answer: D) none of these": "D",
            "The best answer is B: A is too broad, C too narrow.": "B",
            "I choose option (A) over (B).": "A",
            "It may be B, although C is close.": "B",
            "A and B are wrong, C does not apply, so D.": "D",
        },
    ),
    (["1", "2", "3"], {"It took 3 hours. Rating: 1": "1", "2 stars: 1 for each of us": "unparsed"}),
    (["hate", "abuse", "neither"], {"It is neither hate nor abuse.": "neither"}),
    (
        ["moral", "natural", "neutral"],
        {
            "nuetral": "neutral",
            "It is not neutral, it is morel.": "unparsed",
            "It is amoral.": "unparsed",
            "morale": "unparsed",
        },
    ),
    (["world", "business"], {"It is about the business world.": "unparsed"}),
    (
        # Words that are nearly labels.
        ["negative", "neutral", "positive"],
        {
            "possitive": "positive",
            "Sentiment: possitive.": "positive",
            "The answer is negatve": "negative",
            "Its possitive words are few.": "unparsed",
            "The lens has postives and negatves.": "unparsed",
            "Answer: neural": "unparsed",
            "natural": "unparsed",
            "Negated": "unparsed",
        },
    ),
    (
        ["yes", "no"],
        {
            "Yes, I can do that! Please paste the post that I should look at.": "unparsed",
            "No problem. What comment is it about?": "unparsed",
            "No. It attacks nobody.": "no",
        },
    ),
    (
        ["1", "2", "3", "4", "5"],
        {
            "At first I thought of 5, but after the last part I change my answer to 3.": "3",
            "A 2. Correcting that to 1.": "1",
        },
    ),
    (
        ["business", "sports"],
        {"Some sports clubs are named, but their debt makes it business.": "business"},
    ),
    (["immoral", "moral"], {"immortal": "unparsed", "Imoral.": "immoral"}),
    (["peaceful", "violent"], {"violet": "unparsed", "A violet flag.": "unparsed"}),
    (["business", "sports"], {"spots": "unparsed", "Category: sport": "sports"}),
    (
        ["negative", "neutral", "positive"],
        {
            "positive (0.85), neutral (0.10), negative (0.05)": "positive",
            "Positive: 90%\nNegative: 10%": "positive",
            "Positive: 0.4, negative: 0.3": "unparsed",
            "negative (1), positive (3)": "unparsed",
            "Neutral: 0.5, positive: 0.5, negative: 0": "unparsed",
            "If the speaker is sincere, positive; otherwise negative.": "unparsed",
        },
    ),
    (["1", "2", "3"], {"-1": "unparsed", "\N{MINUS SIGN}1": "unparsed", "- 1": "1"}),
    (["yes", "no", "unknown"], {"I cannot say.": "unknown", "Unknown": "unknown", "no": "no"}),
    (
        # Forms of words.
        ["anger", "fear", "joy", "sadness", "surprise"],
        {
            "Angry.": "anger",
            "The writer is fearful.": "fear",
            "The tone is joyous and light.": "joy",
            "Emotion: saddened": "sadness",
            "Sad because the dog died.": "sadness",
            "It is not sad, it is angry.": "anger",
            "He cannot be saddened by it, or angered.": "unparsed",
            "Sade": "unparsed",
            "Fearless": "unparsed",
            "Joyless": "unparsed",
            "Surprisingly, it rained.": "unparsed",
            "The end is sad, and many will be angry.": "unparsed",
            "I cannot say whether she is sad.": "refused",
            "None. It is neither sad nor angry.": "none",
        },
    ),
    (
        ["entailment", "neutral", "contradiction"],
        {
            "The premise entails the hypothesis.": "entailment",
            "These sentences clearly contradict each other.": "contradiction",
            "Contradictory": "contradiction",
            "Neutrality": "neutral",
            "The premise does not entail the hypothesis.": "unparsed",
        },
    ),
    (
        ["negative", "positive"],
        {
            "Position": "unparsed",
            "Negligible": "unparsed",
            "Posit": "unparsed",
            "Negated": "unparsed",
            "It has its positives.": "unparsed",
            "The text shows much negativity.": "negative",
        },
    ),
    (
        ["approved", "denied"],
        {"Deny": "denied", "Decision: approval": "approved", "It denies nothing.": "unparsed"},
    ),
    (
        ["hate", "not_hate"],
        {"This is hateful.": "hate", "Nonhateful": "not_hate", "not hateful": "not_hate"},
    ),
    (["non-toxic", "toxic"], {"nontoxic": "non-toxic", "Label: nontoxic.": "non-toxic"}),
    (["not toxic", "toxic"], {"nontoxic": "not toxic", "It is noted.": "unparsed"}),
    (["offensive", "toxic"], {"nontoxic": "unparsed", "It is non toxic": "unparsed"}),
    (["granted", "refused"], {"I refuse to say.": "refused", "Refusal": "refused"}),
    (
        ["Governing Laws", "Tax Withholdings", "Taxes", "Withholdings"],
        {
            "Governing Law": "Governing Laws",
            "Tax Withholding": "Tax Withholdings",
            "Withholding": "Withholdings",
            "governed by law": "unparsed",
        },
    ),
    (["racism", "sexism"], {"It is racist.": "racism", "Race": "unparsed", "sex": "unparsed"}),
    (["peaceful", "violent"], {"Violence": "violent", "Violation": "unparsed"}),
    (
        # Numbers.
        ["1", "2", "3", "4", "5"],
        {
            "Four": "4",
            "Rating: one": "1",
            "I would give it three stars out of five.": "3",
            "I heard 4 songs, so this is a 2-star review.": "2",
            "It has 3 laughs.": "unparsed",
            "I saw 3 or 4 shows.": "unparsed",
            "This one is fine.": "unparsed",
            "It is one of the worst.": "unparsed",
            "On a scale of 1 to 5: 2": "2",
        },
    ),
    (
        ["yes", "no"],
        {
            "No idea.": "refused",
            "I have no clue.": "refused",
            "No opinion": "unparsed",
            "There is no point in it.": "unparsed",
            "Nope.": "no",
            "Yeah, it is.": "yes",
            "Not really, no.": "no",
        },
    ),
    (
        # Objects of JSON.
        ["negative", "positive"],
        {
            '{"label": "positive", "others": ["negative"]}': "positive",
            '{"sentiment": {"label": "negative", "p": 0.9}, "note": "a positive end"}': "negative",
            '{"text": "a positive joke", "tone_is": "negative"}': "negative",
            '{"answer": "fair", "why": "negative and positive"}': "unparsed",
            '{"why": "It seems negative.", "final": "positive"}': "positive",
            '[{"part": "plot", "label": "negative"}, {"part": "cast", "label": "positive"}]': (
                "unparsed"
            ),
            '{"positive": {"p": 0.2}, "negative": {"p": 0.8}}': "negative",
            '{"a": ' * 300 + '"negative"' + "}" * 300: "negative",
            'Sure: {"label": "Negativity"}': "negative",
        },
    ),
    (
        # Conclusions and preferences.
        ["Business", "Sports", "World"],
        {
            "A club is named, so Sports comes to mind. But its debt makes it Business.": "Business",
            "Sports is tempting, but Business fits best.": "Business",
            "A club is named, so Sports comes to mind, but it is a Business story.": "unparsed",
            "So it is Sports, but the final names the World Cup.": "Sports",
            "Subject area: World\nrelated:\n  - Sports": "World",
            "Primary: World\nSecondary: Sports": "World",
            "World is out, and so is Sports. That leaves Business.": "Business",
            "What the reader will recall is Sports. World is named once.": "Sports",
            "If I must pick one: Sports. It names World and Business.": "Sports",
        },
    ),
    (
        ["negative", "neutral", "positive"],
        {
            "Negative rather than positive or neutral": "negative",
            "Not positive, negative or neutral": "none",
            "Der Text ist nicht positive, sondern negative.": "negative",
            "Lo siento, no puedo decir si es positive o negative.": "refused",
            "Es tut mir leid.": "refused",
            "As an AI, I decline to choose between positive and negative.": "refused",
        },
    ),
    (
        # What is denied twice, improbable, corrected, quoted or a program.
        ["negative", "positive"],
        {
            "Nobody could say that it is not positive.": "positive",
            "I would never claim that this is not positive.": "positive",
            "It does not lack positive moments.": "positive",
            "It is not negative, not at all.": "none",
            "Ce n'est pas positive.": "none",
            "No not positive": "negative",
            "C'est l'impression positive qui reste: positive": "positive",
            "Il ne semble pas positive": "none",
            "这篇评论不是 negative。": "none",
            "A 20% chance that it is positive.": "none",
            "A 95.5% chance that it is positive.": "positive",
            "The probability that it is positive: 0.3": "none",
            "negative (correction: positive)": "positive",
            'The critic says "what a positive outlook on life" and means it.': "none",
            'My verdict: "This is a positive review"': "positive",
            "```python\nif bad(text):\n    print('negative')\n```": "unparsed",
            "```python\nif bad(text):\n    print('negative')\n```\nIt is positive.": "positive",
            '{"reason": "A negative word is there", "sent': "unparsed",
            '{"label": "positive", "reason": "No negative wo': "positive",
            "<unused94>thought\nIt may be negative.<unused95>positive": "positive",
        },
    ),
    (
        ["1 star", "2 stars", "5 stars"],
        {"2 out of 5 stars": "unparsed", "1.5 stars": "unparsed", "It gets 5 stars.": "5 stars"},
    ),
    (["A", "B", "C", "D"], {"I'd say it's (B).": "B", "That'd fit D.": "D"}),
    (["no", "yes"], {"No, sorry, I can't assist with that.": "refused", "No, I can not.": "no"}),
]


@pytest.mark.parametrize(
    ("labels", "answer", "read"),
    [(labels, answer, read) for labels, rows in [*READ, *ONE] for answer, read in rows.items()],
)
def test_an_answer_is_read_as_a_person_would(labels: list[str], answer: str, read: str) -> None:
    parser = AnswerParser(labels, multi_label=False, none="None")
    status, outcome, *_ = parser.read(answer)
    assert (outcome[0] if outcome else status) == read


SEXISM = ["ageism", "racism", "sexism"]
TOXIC = ["insult", "threat", "toxic"]
SCORED = [
    (SEXISM, True, '{"sexism": 1, "racism": 0, "ageism": 0}', False, ["sexism"]),
    (SEXISM, True, "sexism: 0.9\nracism (0.5)\nageism: 0.02", False, ["racism", "sexism"]),
    (SEXISM, True, "sexism: 0, racism: 0, ageism: 0", False, "none"),
    (SEXISM, True, "sexism: 8, racism: 2, ageism: 1", False, "unparsed"),
    (["bad", "good"], False, "There are two sides. On the good side, the music", True, "unparsed"),
    (["bad", "good"], False, '{"reason": "What was good in the first part is', True, "unparsed"),
    (["bad", "good"], False, '{"label": "good", "reason": "The music', True, ["good"]),
    (["bad", "good"], False, "It is a good review, as the music", True, ["good"]),
    (SEXISM, True, "1. sexism\n2. racism", False, ["racism", "sexism"]),
    (SEXISM, True, "sexism (lines 1, 2), racism (line 3)", False, ["racism", "sexism"]),
    (TOXIC, True, "This is insulting, toxic, and a threat.", False, ["insult", "threat", "toxic"]),
    (TOXIC, True, "Toxic and several insults", False, ["insult", "toxic"]),
    (TOXIC, True, "Toxic: she threatens to leave.", False, ["toxic"]),
    (TOXIC, True, "It is not toxic, insulting or threatening.", False, "none"),
    (TOXIC, True, "nontoxic", False, "unparsed"),
    (
        TOXIC,
        True,
        '{"toxic": {"found": true, "p": 0.9}, "threat": {"found": false}}',
        False,
        ["toxic"],
    ),
    (TOXIC, True, '[{"label": "toxic", "p": 0.9}, {"label": "threat", "p": 0}]', False, ["toxic"]),
    (TOXIC, True, '{"found": [{"kind": "insult", "why": "a threat"}]}', False, ["insult"]),
    (TOXIC, True, '{"found": ["toxic"], "not_found": ["insult", "threat"]}', False, ["toxic"]),
    (TOXIC, True, "- toxic: \u2705\n- insult: \u274c", False, ["toxic"]),
    (TOXIC, True, "| toxic | \u2705 |\n| insult | \u274c |", False, ["toxic"]),
    (["angry", "sad"], False, "The emotion is angrily", True, "unparsed"),
    (["angry", "sad"], False, "Emotion: sadness", True, "unparsed"),
    (["angry", "sad"], False, "Emotion: sadness.", True, ["sad"]),
    (
        TOXIC,
        True,
        "## Analysis\n\n**Insult** – None.\n\n## Final labels\n\nthreat",
        False,
        ["threat"],
    ),
    (TOXIC, True, "Step by step.\n\nIt may be an insult, but wait.\n\nThe", True, "unparsed"),
    (TOXIC, True, "insult, threat\n\nThe comment is", True, ["insult", "threat"]),
    (["negative", "positive"], False, "negative negative negative neg", True, ["negative"]),
    (
        ["negative", "positive"],
        False,
        "It is positive on food, but negative on prices.",
        False,
        "unparsed",
    ),
    (["1", "2", "5"], False, "I give it 2 out of 5 stars: it broke on day 1.", False, ["2"]),
    (["a", "b", "c"], False, "So both b and c would fit.", False, "unparsed"),
    (["0", "1"], False, "0\n\nSentence: They was late.\nLabel: 1", False, ["0"]),
    (["left", "right"], False, "I'd rather not call it left or right.", False, "refused"),
]
"""Scores of labels, of which several may apply."""


@pytest.mark.parametrize(("labels", "several", "answer", "cut", "read"), [*OTHERS, *SCORED])
def test_several_labels_and_cut_answers_are_read_as_a_person_would(
    labels: list[str], several: bool, answer: str, cut: bool, read: list[str] | str
) -> None:
    parser = AnswerParser(labels, multi_label=several, none="None")
    status, outcome, *_ = parser.read(answer, cut=cut)
    assert (list(outcome) if outcome else str(status)) == read


def test_an_answer_that_is_cut_before_its_verdict_has_none() -> None:
    answer = "Let's weigh it up. Positive aspects: the acting. Negative aspects: the"
    parser = AnswerParser(["negative", "positive"], multi_label=False, none="None")
    assert parser.read(answer, cut=True).status == Status.UNPARSED
    assert parser.read(f"{answer} plot. Overall: negative").outcome == ("negative",)


@pytest.mark.parametrize(
    ("form", "answer", "read"),
    [
        ({"json": "label"}, '{"reason": "positive at first", "label": "negative"}', "negative"),
        ({"json": "label"}, 'So:\n```json\n{"label": ["Positive"], "p": 1}\n```', "positive"),
        (
            {"json": "label"},
            '<think>{"label": "positive"}</think>{"label": "negative"}',
            "negative",
        ),
        ({"json": "label"}, '{"label": "fair"} positive', "unparsed"),
        ({"json": "label"}, '{"label": null}', "unparsed"),
        ({"json": "label"}, "positive", "unparsed"),
        ({"json": "label"}, '{"label": "pos', "unparsed"),
        ({"json": "label"}, "{" * 20_000, "unparsed"),
        ({"pattern": "=> (?P<label>.*)"}, "not positive => negative", "negative"),
        ({"pattern": "=> (?P<label>.*)"}, "positive", "unparsed"),
        ({"pattern": "positive|(?P<label>negative)"}, "positive", "unparsed"),
    ],
)
def test_a_part_of_an_answer_is_read_by_a_key_or_a_pattern(
    form: dict[str, str], answer: str, read: str
) -> None:
    parser = AnswerParser(["negative", "positive"], multi_label=False, none="None")
    status, outcome, said, _ = PartReader(parser, form=form).read(answer)
    assert (outcome[0] if outcome else status) == read
    assert said == answer.partition("</think>")[2] or said == answer


def test_a_part_of_an_answer_that_may_be_cut_is_left_out() -> None:
    parser = PartReader(MULTI["ecthr_a"], form={"pattern": "(?P<label>Article .*)"})
    assert parser.read("So: Article 1", cut=True).status == Status.UNPARSED
    assert parser.read("So: Article 3\n", cut=True).outcome == ("Article 3",)


def _articles(numbers: str) -> tuple[str, ...]:
    names = {"P1": "Article 1 of Protocol 1"}
    return tuple(sorted(names.get(number, f"Article {number}") for number in numbers.split()))


@pytest.mark.parametrize("answer", ARTICLES)
def test_articles_are_read(answer: str) -> None:
    expected = ParsedAnswer(Status.OK, _articles(ARTICLES[answer]), answer)
    assert MULTI["ecthr_a"].read(answer) == expected


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        *((answer, Status.NONE) for answer in NOTHING),
        *((answer, Status.REFUSED) for answer in REFUSALS),
        *((answer, Status.UNPARSED) for answer in UNPARSED),
    ],
)
def test_answers_without_an_outcome_say_why(answer: str, status: Status) -> None:
    assert MULTI["ecthr_a"].read(answer) == ParsedAnswer(status, None, answer)


@pytest.mark.parametrize("answer", SENTIMENTS)
def test_one_sentiment_is_read(answer: str) -> None:
    expected = SENTIMENTS[answer]
    status, outcome, *_ = SINGLE["imdb_50k"].read(answer)
    assert (outcome[0] if outcome else status) == expected


def _nested(labels: Sequence[str]) -> list[tuple[str, str]]:
    return [
        (inner, outer)
        for inner in labels
        for outer in labels
        if inner != outer and inner.lower() in outer.lower()
    ]


def test_few_words_are_forms_of_labels() -> None:
    texts = [*(ROOT / "data" / "rehearsal").glob("*.jsonl"), ROOT / "data/goemotions/tones.csv"]
    said = "\n".join(text.read_text(encoding="utf-8") for text in texts).casefold()
    words = set(re.findall(r"[a-z]{3,}", said))
    labels = ["approved", "negative", "neutral", "positive", "sadness", "sports", "toxic"]
    parser = AnswerParser(labels, multi_label=False, none="None")
    found = {word for word in words if parser.read(word).outcome} - set(labels)
    assert len(words) > 5000
    assert found == {"sad", "sadden", "saddens"}


@pytest.mark.parametrize(("name", "count"), [("eurlex", 11), ("ledgar", 4)])
def test_names_inside_longer_names_do_not_count(name: str, count: int) -> None:
    nested = _nested(LABELS[name])
    assert len(nested) == count
    for inner, outer in nested:
        assert MULTI[name].read(f"{outer}.").outcome == (outer,)
        assert MULTI[name].read(f"{outer}, {inner}").outcome == tuple(sorted([inner, outer]))


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("No Waivers", "No Waivers"),
        ("no  waivers.", "No Waivers"),
        ("Not No Waivers but Waivers", "Waivers"),
        ("No, Waivers", "Waivers"),
        ("Non Disparagement", "Non-Disparagement"),
        ("Anti‑Corruption Laws", "Anti-Corruption Laws"),
    ],
)
def test_names_that_begin_with_a_negation_are_names(answer: str, outcome: str) -> None:
    assert SINGLE["ledgar"].read(answer).outcome == (outcome,)


def test_numbers_are_enumerated_after_the_word_that_all_labels_share() -> None:
    parser = AnswerParser(["Class A", "Class B", "Class 12"], multi_label=True, none="None")
    assert parser.read("Classes A, 12").outcome == ("Class 12", "Class A")
    assert parser.read("class b or 1").outcome == ("Class B",)
    parser = AnswerParser(["Class A", "Class B", "Other"], multi_label=True, none="None")
    assert parser.read("Class A and B").outcome == ("Class A",)


@pytest.mark.parametrize("label", ODD)
def test_a_label_with_characters_of_patterns_is_itself(label: str) -> None:
    parser = AnswerParser(ODD, multi_label=True, none="None")
    assert parser.read(f"Answer: {label.upper()}").outcome == (label,)
    assert parser.read("Cx axb xx 5").status == Status.UNPARSED


def test_the_prompts_own_word_says_that_no_label_applies() -> None:
    parser = AnswerParser(LABELS["eurlex"], multi_label=True, none="Nil (all)")
    assert parser.read("nil (ALL). Compare trade").status == Status.NONE
    assert parser.read("I think nil (all)").status == Status.NONE
    assert MULTI["eurlex"].read("nil (all)").status == Status.UNPARSED


@pytest.mark.parametrize("labels", [["Non-Use", "non use"], ["a", " "], ["Trade", "trade"]])
def test_labels_that_answers_cannot_tell_apart_are_refused(labels: list[str]) -> None:
    with pytest.raises(InputError, match="label_names in the datasets sheet"):
        AnswerParser(labels, multi_label=True, none="None")


@settings(max_examples=60, deadline=None)
@given(st.data())
@pytest.mark.parametrize("name", SETS)
def test_every_expected_answer_is_read_back(name: str, data: st.DataObject) -> None:
    labels = LABELS[name]
    chosen = data.draw(st.lists(st.sampled_from(labels), min_size=1, max_size=12, unique=True))
    answer = Prompt(1, "", "{text}", "None", 16, {}, tuple(labels)).answer(chosen)
    bullets = "".join(f"* {label}\n" for label in chosen)
    for form in [answer, f" {answer}.", answer.upper(), f"Answer: {answer.lower()}", bullets]:
        assert MULTI[name].read(form) == ParsedAnswer(Status.OK, tuple(sorted(chosen)), form)
    assert SINGLE[name].read(f"Answer: {chosen[0]}.").outcome == (chosen[0],)


PIECES = [
    "Article",
    "3",
    "8 of Protocol",
    "not",
    "no",
    "and",
    ",",
    ".",
    ":",
    "(",
    "-",
    "\n",
    "but",
    "§",
]
WORDS = st.lists(st.sampled_from(PIECES)).map(" ".join)


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(exclude_categories=[])) | WORDS)
def test_any_text_has_a_reading(answer: str) -> None:
    for parser in [MULTI["ecthr_a"], SINGLE["ledgar"]]:
        status, outcome, kept, _ = parser.read(answer)
        assert (status == Status.OK) == bool(outcome)
        assert kept == answer


PIECES_OF_LONG = [
    " ",
    "\n",
    ".",
    "'",
    "not ",
    "no a ",
    "Article 3, ",
    "§ ",
    "1",
    "\n\n- ",
    "i can ",
    "§",
    "no ",
    "a ",
    "it is ",
    "positive? ",
    "(positive) ",
    "\n> ",
    "answer -",
    '{"a": ',
    '["a", ',
    '{"label": "a"} ',
    "the review ",
    "what a ",
    "a: ",
    "nontoxic ",
    "please give ",
    "not positive, ",
    "s",
]


@pytest.mark.parametrize("piece", PIECES_OF_LONG)
def test_calls_grow_with_the_length_of_an_answer(piece: str) -> None:
    letters = AnswerParser(["A", "B"], multi_label=False, none="None")
    for parser in (letters, SINGLE["imdb_50k"], MULTI["ecthr_a"]):
        short, long = (_calls(parser, f"Answer: positive {piece * n}") for n in (500, 1000))
        assert long < 2.5 * short


def _calls(parser: AnswerParser, answer: str) -> int:
    profile = Profile(builtins=False)
    profile.runcall(parser.read, answer)
    return sum(each.callcount for each in profile.getstats())


@pytest.mark.release
@pytest.mark.parametrize("piece", PIECES_OF_LONG)
def test_long_answers_are_read_in_time(piece: str) -> None:
    MULTI["ecthr_a"].read("Article 3 " + piece * 20_000)
    letters = AnswerParser(["A", "B"], multi_label=False, none="None")
    for parser in (letters, SINGLE["imdb_50k"]):
        parser.read(f"Answer: positive {piece * 10_000}")


@pytest.mark.parametrize(
    ("answer", "labels"),
    {
        "Article 3, Article 10": "3",
        "Article 3, Article 1": "3",
        "Article 3, Arti": "3",
        "Articles 3 and 8": "3",
        "Article 3 of": "",
        "Article 3": "",
        "Article 3 ": "",
        "Article 3\n": "3",
        "Article 3, Article 10.": "3 10",
        "Article 6 § 1": "6",
        "Article 3 was violated because the author": "3",
        "Violated: **Article 3**, **Article 8": "3",
    }.items(),
)
def test_a_label_that_may_be_cut_is_left_out(answer: str, labels: str) -> None:
    found = MULTI["ecthr_a"].read(answer, cut=True)
    expected = tuple(sorted(f"Article {number}" for number in labels.split()))
    assert found == ParsedAnswer(
        *((Status.OK, expected) if labels else (Status.UNPARSED, None)), answer
    )


@given(st.sampled_from(SETS), st.data())
def test_a_cut_answer_has_no_label_that_the_whole_one_lacks(name: str, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(LABELS[name]), min_size=1, max_size=4))
    whole = ", ".join(chosen)
    length = data.draw(st.integers(0, len(whole)))
    found = MULTI[name].read(whole[:length], cut=True).outcome or ()
    assert set(found) <= set(chosen)


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("It has made me curious about other people.", "ok"),
        ("  \n", "unparsed"),
        ("", "unparsed"),
        ("I'm sorry, but that is private.", "refused"),
        ("As an AI language model, I have no worldview.", "refused"),
        ("I cannot answer that.\n\nBut others can.", "refused"),
        ("My job comes first.\n\nI'm sorry if that is short.", "ok"),
        ("No, not at all.", "ok"),
    ],
)
def test_an_answer_is_given_refused_or_empty(answer: str, status: str) -> None:
    parsed = FreeTextParser().read(answer)
    assert (parsed.status, parsed.answer) == (Status(status), answer)
    assert parsed.outcome == (() if status == "ok" else None)
