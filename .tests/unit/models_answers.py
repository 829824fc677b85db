"""Answers as models give them, and what a careful reader understands."""

PROVISIONS = [
    "Amendments",
    "Assignments",
    "Confidentiality",
    "Counterparts",
    "Entire Agreements",
    "Governing Laws",
    "Indemnifications",
    "Notices",
    "Severability",
    "Successors",
    "Survival",
    "Taxes",
    "Terminations",
    "Waivers",
    "Waiver Of Jury Trials",
]

# Labels, and the label or status of each answer.
ONE: list[tuple[list[str], dict[str, str]]] = [
    (
        ["negative", "positive"],
        {
            "Negative.": "negative",
            "** Negative **\n": "negative",
            "Sentiment: Positive 😊👍": "positive",
            "The sentiment of this review is “negative”.": "negative",
            "\n\n\n   positive   \n\n": "positive",
            "Review → Negative": "negative",
            "Answer:\nPositive": "positive",
            "postive": "positive",
            '{"sentiment": "negative"}': "negative",
            (
                '```json\n{\n  "label": "positive",\n  "reason": "Despite a '
                'negative remark about the ending, the reviewer recommends the film."\n}\n'
                "```"
            ): "positive",
            '{"negative": 0.13, "positive": 0.87}': "positive",
            '{"negative": true, "positive": false}': "negative",
            "[{'label': 'POSITIVE', 'score': 0.9987}]": "positive",
            (
                "<reasoning>The user complains about delivery but praises the product at "
                "length and would buy again.</reasoning>\n<answer>positive</answer>"
            ): "positive",
            "&lt;answer&gt;negative&lt;/answer&gt;": "negative",
            "sentiment: negative\nconfidence: high": "negative",
            (
                '<tool_call>\n{"name": "classify_sentiment", "arguments": '
                '{"label": "negative"}}\n</tool_call>'
            ): "negative",
            'classify(sentiment="positive")': "positive",
            (
                '{"type": "object", "properties": {"sentiment": {"type": '
                '"string", "enum": ["negative", "positive"]}}, "required": '
                '["sentiment"]}'
            ): "unparsed",
            "The sentiment of the review is $\\boxed{\\text{negative}}$.": "negative",
            (
                '<think>\nOkay, the review says "not bad at all". At first this looks '
                'negative because of "bad", but "not bad at all" is praise.\n'
                "</think>\n\npositive"
            ): "positive",
            (
                "Hmm, the first half is negative. But the second half praises the cast. I "
                "would go with positive overall... though the last line is a warning to "
                "stay away. So negative.\n</think>\n\nnegative"
            ): "negative",
            (
                'Let\'s think step by step. The reviewer calls the plot "predictable" and '
                'the acting "wooden". They did like the soundtrack, which is positive. '
                'However, they finish with "save your money". Therefore, the sentiment '
                "is negative."
            ): "negative",
            (
                "The review praises the hotel, only the breakfast was negative.\n#### positive"
            ): "positive",
            "<|begin_of_solution|>\nnegative\n<|end_of_solution|>": "negative",
            "The review is not positive.": "negative",
            "Far from positive. The customer wants a refund.": "negative",
            (
                "Anything but negative — this is one of the warmest reviews I have seen. Positive."
            ): "positive",
            (
                "Positive. Although the reviewer mentions some negative points, such as "
                "slow shipping, the overall tone is favorable."
            ): "positive",
            "I would classify this as negative rather than positive.": "negative",
            "The review is more negative than positive.": "negative",
            "It is mixed, but leans positive.": "positive",
            (
                "Positive. Wait, no — I misread the last sentence. The reviewer returned "
                "it. The answer is negative."
            ): "negative",
            "~~Positive~~ Negative": "negative",
            "It's hard to say for sure, but it's probably negative.": "negative",
            (
                "Both. The review is positive about the room and negative about the staff."
            ): "unparsed",
            "50% positive, 50% negative": "unparsed",
            "negative/positive": "unparsed",
            (
                "This could be either positive or negative depending on how sarcastic the "
                "author is."
            ): "unparsed",
            "Mixed": "unparsed",
            "positive or negative?": "unparsed",
            "- [ ] negative\n- [x] positive": "positive",
            "P(negative) = 0.08\nP(positive) = 0.92": "positive",
            "I am 95% confident that this review is negative.": "negative",
            (
                " negative\n\nReview: The best pizza in town!\nSentiment: positive\n\n"
                "Review: It broke after two days.\nSentiment: negative"
            ): "negative",
            (
                "Is the sentiment of this review positive or negative? The sentiment of "
                "this review is negative."
            ): "negative",
            (
                'The reviewer writes "I was positive this would be terrible", and then '
                '"and I was right". The sentiment is negative.'
            ): "negative",
            (
                'The line "I tested positive again" describes an illness and a ruined '
                "holiday. Sentiment: negative"
            ): "negative",
            "Assistant: negative": "negative",
            (
                'negative\nUser: Thanks! And what about "It was fine"?\nAssistant: positive'
            ): "negative",
            "positive</s>": "positive",
            "[/INST] The sentiment is positive.": "positive",
            "Hello! How can I help you today?": "unparsed",
            (
                "The reviewer bought a blender in March, used it for smoothies twice a "
                "week, and compared it with the previous model of the same brand."
            ): "unparsed",
            "!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!": "unparsed",
            # A word that is not announced is no misspelt label.
            "Die Bewertung ist positiv.": "unparsed",
            "负面（negative）": "negative",
            (
                'Translation: "The soup was cold and nobody apologised."\n\nSentiment: negative'
            ): "negative",
        },
    ),
    (
        ["negative", "neutral", "positive"],
        {
            "`neutral`": "neutral",
            "### Sentiment\n\nNeutral": "neutral",
            "The sentiment is nuetral.": "neutral",
            (
                '[{"label":"negative","score":0.71},{"label":"neutral","score'
                '":0.21},{"label":"positive","score":0.08}]'
            ): "negative",
            (
                "| Aspect | Assessment |\n|---|---|\n| Food | positive |\n| Service | "
                "negative |\n| **Overall** | **negative** |"
            ): "negative",
            (
                "| Class | Probability |\n|---|---|\n| negative | 5% |\n| neutral | 80% |\n"
                "| positive | 15% |"
            ): "neutral",
            (
                "It is definitely not positive, and not really neutral either: the author "
                "is clearly angry, so negative."
            ): "negative",
            "This text is not positive.": "unparsed",
            "Neutral (low confidence)": "neutral",
            "( ) negative\n(•) neutral\n( ) positive": "neutral",
            ("Given the options negative, neutral, positive, I would choose positive."): "positive",
            (
                "Sentence 1: positive\nSentence 2: neutral\nSentence 3: negative\nSentence "
                "4: negative\n\nOverall: negative"
            ): "negative",
        },
    ),
    (
        ["ham", "spam"],
        {
            "SPAM!": "spam",
            "id,label\n1,ham": "ham",
            (
                "There is nothing here that suggests spam. It is a normal message between "
                "friends: ham."
            ): "ham",
            'Message: "WIN a free phone now!!!"\nClassification: spam': "spam",
        },
    ),
    (
        ["sadness", "joy", "love", "anger", "fear", "surprise"],
        {
            "#anger": "anger",
            (
                "1. The speaker lost their dog (sadness).\n2. They are thankful for the "
                "years together (love).\n3. The dominant tone is grief.\n\nFinal answer: "
                "sadness"
            ): "sadness",
            (
                'joy\n\nEdit: On second thought, "I can\'t believe he remembered!" '
                "expresses surprise more than joy. My final answer is surprise."
            ): "surprise",
            (
                "sadness: 2/10\njoy: 1/10\nlove: 0/10\nanger: 8/10\nfear: 3/10\nsurprise: 2/10"
            ): "anger",
            "Primary emotion: fear. Secondary emotion: sadness.": "fear",
            (
                "I'm really sorry that you're feeling this way, but I'm unable to provide "
                "the help that you need. It's really important to talk things over with "
                "someone who can, such as a mental health professional or a trusted person "
                "in your life."
            ): "refused",
        },
    ),
    (["toxic", "non-toxic"], {"Non toxic": "non-toxic"}),
    (
        ["not toxic", "toxic"],
        {
            "Not toxic": "not toxic",
            "This comment is toxic.": "toxic",
            "The comment is **not** toxic.": "not toxic",
            (
                "I don't think this comment is toxic. It's a normal disagreement about "
                "editing policy."
            ): "not toxic",
            '{"toxic": false}': "not toxic",
            (
                "It would be wrong to call this comment non-toxic; it is toxic because it "
                "threatens another user."
            ): "toxic",
            "Toxicity score: 0.91 (threshold 0.5) → toxic": "toxic",
            (
                "I cannot classify this content as it contains language that violates my "
                "guidelines. If you have other questions, I am happy to help."
            ): "refused",
            (
                "I can't help with labelling this as toxic or not toxic because the "
                "comment includes slurs that I'm not comfortable engaging with."
            ): "refused",
            (
                "I'm not comfortable repeating the slur in this comment, but I can tell "
                "you that the comment is toxic."
            ): "toxic",
        },
    ),
    (
        ["1", "2", "3", "4", "5"],
        {"5 stars": "5", "★★★★☆ (4)": "4", "I would predict a rating of 2 out of 5.": "2"},
    ),
    (
        ["0", "1"],
        {
            "0": "0",
            "Label: 1 (the comment contains an insult)": "1",
            (
                "Step 1: The comment has 2 insults.\nStep 2: 2 > 0, so it is toxic (1), "
                "not clean (0).\n\n$$\\boxed{1}$$"
            ): "1",
            (
                "1\n\nApologies, I made a mistake: the comment is a quote and harmless. "
                "Correct label: 0"
            ): "0",
        },
    ),
    (
        ["A", "B", "C", "D"],
        {
            "B)": "B",
            (
                "The correct answer is C. The passage states that the river had already "
                "frozen, which rules out A and B."
            ): "C",
            (
                "A careful reading of the passage shows that the merchant was bankrupt "
                "before the fire. The answer is D."
            ): "D",
            "\\[ \\boxed{B} \\]": "B",
            ("A) The king\nB) The queen\nC) The jester\nD) The cook\n\nAnswer: C) The jester"): "C",
            "A) red\nB) blue\nC) green\nD) yellow": "unparsed",
        },
    ),
    (
        ["entailment", "neutral", "contradiction"],
        {
            (
                '{"result": {"premise": "A man plays guitar", "hypothesis": "A '
                'man sleeps", "label": "contradiction"}}'
            ): "contradiction",
            "$\\boxed{\\mathbf{entailment}}$": "entailment",
            (
                "contradiction\n\nExplanation: The premise says that the shop is closed on "
                "Sunday. For entailment the hypothesis would have to follow; it cannot be "
                "neutral as it says the opposite."
            ): "contradiction",
            (
                'At first glance this seems neutral, but since "all guests left before '
                'midnight" logically implies "nobody stayed until one", the relation is '
                "entailment."
            ): "entailment",
            "entailment / **neutral** / contradiction": "neutral",
            ("neutral<|im_end|>\n<|im_start|>user\nNext: entailment or contradiction?"): "neutral",
        },
    ),
    (
        PROVISIONS,
        {
            (
                "The clause states that the agreement may be executed in any number of "
                "copies, each an original. This is not about Notices or Amendments.\n\n"
                "**Final Answer: Counterparts**"
            ): "Counterparts",
            "Waiver Of Jury Trials": "Waiver Of Jury Trials",
        },
    ),
    (
        ["hate speech", "offensive language", "neither"],
        {
            (
                "Neither. The tweet uses no slur, so it is not hate speech, and the word "
                '"trash" refers to rubbish, so it is not offensive language.'
            ): "neither",
            (
                "This tweet is offensive language but does not rise to the level of hate "
                "speech because no protected group is attacked."
            ): "offensive language",
            "hate speech ❌\noffensive language ✅\nneither ❌": "offensive language",
            "I'm sorry, but I can't assist with that request.": "refused",
        },
    ),
    (
        ["yes", "no"],
        {
            "Yes, there is no doubt that the clause limits liability.": "yes",
            ("No. While one may be tempted to say yes, the statute only covers employees."): "no",
            "Yes it does.": "yes",
            (
                "As an AI language model, I am not able to provide legal advice. Please "
                "consult a qualified attorney."
            ): "refused",
        },
    ),
    (
        [
            "Criminal Procedure",
            "Civil Rights",
            "First Amendment",
            "Due Process",
            "Privacy",
            "Attorneys",
            "Unions",
            "Economic Activity",
            "Judicial Power",
            "Federalism",
            "Interstate Relations",
            "Federal Taxation",
            "Miscellaneous",
        ],
        {"Issue area: Criminal Procedure": "Criminal Procedure"},
    ),
    (
        ["the grandfather", "the grandson", "cannot be determined"],
        {
            (
                "The passage does not say who was forgetful, so it cannot be determined."
            ): "cannot be determined"
        },
    ),
]

SENTIMENTS = ["negative", "positive"]
ARTICLES = [
    "Article 2",
    "Article 3",
    "Article 5",
    "Article 6",
    "Article 8",
    "Article 9",
    "Article 10",
    "Article 11",
    "Article 14",
    "Article 1 of Protocol 1",
]
POLICIES = [
    "agriculture",
    "fisheries",
    "trade",
    "finance",
    "environment",
    "transport",
    "energy",
    "social questions",
]
# Labels, whether there may be several, an answer, whether it is cut, its labels or status.
OTHERS: list[tuple[list[str], bool, str, bool, list[str] | str]] = [
    (
        SENTIMENTS,
        False,
        (
            "<think>\nLet me look at the review. The user says the phone is positive "
            "in design, but the battery is negative. The overall impression seems"
        ),
        True,
        "unparsed",
    ),
    (
        SENTIMENTS,
        False,
        "positive\n\nText: I hate Mondays.\nLabel: negative\n\nText: What a",
        True,
        ["positive"],
    ),
    (
        SENTIMENTS,
        False,
        ("The reviewer starts by describing the hotel lobby, then goes on to say that the bed was"),
        True,
        "unparsed",
    ),
    (
        SENTIMENTS,
        False,
        ("The sentiment of this review is negative. The reviewer complains about the"),
        True,
        ["negative"],
    ),
    (
        SENTIMENTS,
        False,
        ('{"sentiment": "positive", "explanation": "The author says that the'),
        True,
        ["positive"],
    ),
    (
        ["entailment", "neutral", "contradiction"],
        False,
        ("To decide between entailment, neutral and contradiction, we first compare the premise"),
        True,
        "unparsed",
    ),
    (ARTICLES, True, "Article 3, Article 6", False, ["Article 3", "Article 6"]),
    (
        ARTICLES,
        True,
        (
            "The applicant can invoke:\n\n- **Article 5** – unlawful detention\n- "
            "**Article 8** – interception of letters\n"
        ),
        False,
        ["Article 5", "Article 8"],
    ),
    (ARTICLES, True, "None of the listed articles was violated.", False, "none"),
    (
        ARTICLES,
        True,
        (
            "The Court would find a violation of Article 6 (length of proceedings). "
            "There was no violation of Article 8 or Article 10."
        ),
        False,
        ["Article 6"],
    ),
    (
        ARTICLES,
        True,
        "Article 1 of Protocol No. 1 and Article 14",
        False,
        ["Article 1 of Protocol 1", "Article 14"],
    ),
    (POLICIES, True, '["agriculture", "trade"]', False, ["agriculture", "trade"]),
    (
        POLICIES,
        True,
        (
            '{"agriculture": false, "fisheries": true, "trade": false, '
            '"finance": false, "environment": true, "transport": false, '
            '"energy": false, "social questions": false}'
        ),
        False,
        ["environment", "fisheries"],
    ),
    (POLICIES, True, "This act deals only with transport.", False, ["transport"]),
    (ARTICLES, True, "Articles 2 and 3", False, ["Article 2", "Article 3"]),
    (
        ARTICLES,
        True,
        "I'm sorry, but I can't provide an assessment of legal cases.",
        False,
        "refused",
    ),
    (["ham", "spam"], False, "ham<|endoftext|>Write a message that is spam:", False, ["ham"]),
    (["not toxic", "toxic"], False, "Is this comment toxic? Hardly.", False, ["not toxic"]),
    (
        ["negative", "positive"],
        False,
        "Positive? No way! The guy wants his money back.",
        False,
        ["negative"],
    ),
    (["ham", "spam"], False, "Spam? No.", False, ["ham"]),
    (
        ["negative", "positive"],
        False,
        "The tone is less positive than negative.",
        False,
        ["negative"],
    ),
    (["negative", "positive"], False, "The exact opposite of positive.", False, ["negative"]),
    (["toxic", "non-toxic"], False, "One can't call this non-toxic.", False, ["toxic"]),
    (PROVISIONS, False, "Waiver of Jury Trial", False, ["Waiver Of Jury Trials"]),
    (["ham", "spam"], False, "Spam? It asks for a password.", False, "unparsed"),
    (["ham", "spam"], False, "Spam? Yes, it asks for a password.", False, ["spam"]),
]
