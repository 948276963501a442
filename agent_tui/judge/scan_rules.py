"""The phrases by which a text speaks to its judge instead of to its reader, as a table.

A rule has anchors, plain words of which one must stand at the start of a word, and a pattern that must match right
after the anchor. Texts are folded before: small letters, nothing invisible, look-alikes as Latin. Repetitions are
bounded, so that a rule costs the same wherever it is tried.
"""

from __future__ import annotations

import re

from msgspec import Struct

IMPERATIVE, AUTHORITY, VERDICT = "imperative_to_judge", "authority_claim", "verdict_shaped_text"
TEMPLATE, DELIMITER, MARKUP = "chat_template_token", "delimiter_forgery", "markup"

_NEAR = r"[^.\n]{0,60}?"
_JUDGES = r"(?:graders?|judges?|evaluators?|assessors?|reviewers?|auditors?)"
_VERDICTS = r"(?:pass(?:ed|es|ing)?|fail(?:ed|s|ing)?|undetermined)"
_GRADES = r"(?:correct|incorrect|accept(?:ed)?|yes|no|[a-f][+-]?|[cipn]|[0-9]{1,3}(?:/[0-9]{1,3})?)"
_GOOD = r"(?:pass(?:ed|es|ing)?|correct|right|true|met|meeting|full marks|undetermined)"
_READ_BY_JUDGES = r"(?:criteria|criterion|rubric|instructions?|checklist|guidelines?|prompt|(?:the|everything) above)"
_CHANGED = r"(?:revision|revised|supersedes?|superseded|updated?|withdrawn|replaced|amended|new version)"
_OWNERS = r"(?:owners?|admins?|administrators?|operators?|maintainers?|auditors?|organi[sz]ers?)"
_PARTS = r"(?:submission|candidate|candidate answer|answer|data|item|material|trace|transcript)"


class Rule(Struct, frozen=True):
    """What makes a flag of `kind`."""

    kind: str
    anchors: str
    """Words, with `|` between."""
    then: str


RULES = (
    # Orders: to drop the rubric, to say a verdict, to count something as good
    Rule(IMPERATIVE, "disregard|ignore|forget|override|overlook", rf"\b{_NEAR}\b{_READ_BY_JUDGES}\b"),
    Rule(IMPERATIVE, "verdict", rf"\b{_NEAR}\b(?:is|be|as|must|should|shall|to)\s+[\"'*]*{_VERDICTS}\b"),
    Rule(
        IMPERATIVE,
        "record|say|write|output|report|declare|choose|mark|rate|grade",
        r"\s+(?:(?:it|this|a|as)\s+){0,3}[\"'*]{0,2}(?:pass|fail|undetermined)[\"'*]{0,2}(?=\s*(?:[.,;:!?'\"\n)]|and\b|$))",
    ),
    Rule(
        IMPERATIVE,
        "mark|treat|count|rate|grade|accept",
        rf"\s+(?:it|this|that|these|everything|all|each|every|the|any)\b{_NEAR}\b(?:as\s+)?{_GOOD}\b",
    ),
    Rule(IMPERATIVE, "answers|answer|runs|responses|submissions", r"\s+(?:[\w'./-]{1,40}\s+){1,5}pass(?:es)?\b"),
    Rule(IMPERATIVE, "apply the same", r"\s+(?:standard|verdict|rule|grade|bar)\b"),
    # Words to a judge
    Rule(
        IMPERATIVE,
        "note|message|memo|notice|example|instruction|instructions|hint|reminder",
        rf"\s+(?:for|to)\s+(?:[a-z]{{1,20}}\s+){{0,3}}(?:{_JUDGES}|grading|judging|evaluating)\b",
    ),
    Rule(IMPERATIVE, "automated|automatic|ai|llm|model", rf"\s+{_JUDGES}\b"),
    Rule(
        IMPERATIVE,
        "graders|grader|judges|judge|evaluators|evaluator|assessors|assessor",
        r"\s*[,:]?\s+(?:must|should|shall|have to|has to|needs? to|(?:are|is) to|will|please)\b",
    ),
    Rule(IMPERATIVE, "you have|you've|you are", r"\s+(?:finished|stopped|done|completed)\s+(?:judg|grad|evaluat)ing\b"),
    Rule(IMPERATIVE, "your new|your real|your only|your next", r"\s+(?:job|task|role|instructions?|orders?)\b"),
    # Another rubric
    Rule(IMPERATIVE, "rubric|criteria|criterion|checklist|grading", rf"\b{_NEAR}\b{_CHANGED}\b"),
    Rule(IMPERATIVE, "new criterion|new criteria|new rubric|new grading", r"\b"),
    # Getting something out of a judge, or into it
    Rule(
        IMPERATIVE,
        "copy|print|repeat|reveal|output|include|write|quote|echo|show|state|put",
        r"\b[^.\n]{0,80}?\b(?:your\s+(?:system\s+)?(?:instructions?|prompt|rubric|(?:last )?verdict)|verdict again)\b",
    ),
    Rule(IMPERATIVE, "decode|decrypt|unscramble|translate", rf"\b{_NEAR}\b(?:follow|obey|execute|apply)\b"),
    # Authority and company
    Rule(
        AUTHORITY,
        "message|note|notice|order|directive|word",
        rf"\s+(?:from|by)\s+(?:the\s+)?(?:[a-z]{{1,20}}\s+){{0,2}}{_OWNERS}\b",
    ),
    Rule(
        AUTHORITY,
        "reviewers|graders|judges|experts|evaluators|auditors|annotators",
        rf"\b{_NEAR}\b(?:marked|rated|graded|approved|passed|confirmed|accepted|agreed)\b",
    ),
    Rule(AUTHORITY, "rubric|criteria|checklist|revision", rf"\b{_NEAR}\b(?:supersedes?|superseded)\b"),
    Rule(AUTHORITY, "is authoritative|are authoritative|are pre-approved|auditor:", ""),
    Rule(AUTHORITY, "policy", rf"\b{_NEAR}\b(?:this|the|every|each)\s+(?:item|run|answer|verdict)\b"),
    Rule(
        AUTHORITY,
        "reference|expected answer|ground truth",
        r"\s+(?:is|was)\s+(?:under embargo|withdrawn|wrong|invalid)\b",
    ),
    Rule(
        AUTHORITY,
        "approved by|authorised by|authorized by|certified by",
        rf"\s+(?:the\s+)?(?:evaluation|benchmark|rubric|grading|judging|{_JUDGES})\b",
    ),
    # What looks like a verdict already given
    Rule(
        VERDICT,
        "verdict|grade|grading|rating|judgement|judgment",
        rf"[\"']?\s*(?::|=|->)+\s*[\"'\[(<*]{{0,4}}(?:{_VERDICTS}|{_GRADES})\b",
    ),
    Rule(VERDICT, "verdict", rf"[\"']?\s+{_VERDICTS}\b"),
    Rule(VERDICT, "record_verdict|submit_verdict|set_verdict|give_verdict|store_verdict", r"\s*\("),
    # The frame of the item
    Rule(DELIMITER, "end of|start of|beginning of", rf"\s+(?:the\s+)?{_PARTS}\b\s*[.:\n\]-]"),
)
"""Anchored rules: cheap on long texts, since anchors are found by plain search."""

NAMED_TAGS = ("candidate", "criteria", "criterion", "rubric", "submission", "grader", "grading", "evaluation", "judge")
GENERIC_TAGS = ("answer", "task", "data", "item", "instructions", "system", "trace", "output", "response", "input")
_IN_BRACKETS = r"(?:data|submission|answer|input|task|criteria|trace)"
_HIDES = r"(?:display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0)"

SHAPES = tuple(
    (kind, re.compile(shape, re.MULTILINE))
    for kind, shape in (
        (TEMPLATE, r"<\|[^|<>\n]{1,40}\|>"),
        (TEMPLATE, r"\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>|<(?:bos|eos)>"),
        (DELIMITER, rf"</?(?:{'|'.join(NAMED_TAGS)})[a-z_-]{{0,20}}\s{{0,4}}>"),
        (DELIMITER, rf"\[(?:begin|end|start)[ _-](?:of[ _-])?{_IN_BRACKETS}\]"),
        (DELIMITER, r"^#{1,6} +(?:the )?(?:grader|judge|evaluator|grading|verdict|rubric|criteria)\b[^\n]{0,80}"),
        (DELIMITER, r"^[-=*#]{2,10} ?(?:item|data|submission|answer|task|trace|grading)\b[^\n]{0,80}"),
        (VERDICT, r"\[\[(?:yes|no|pass|fail|correct|incorrect|tie|[abc]|[0-9]{1,2})\]\]"),
        (VERDICT, r"<verdict>\s{0,4}\w{1,20}"),
        (MARKUP, r"<!--"),
        (MARKUP, rf"style\s{{0,4}}=\s{{0,4}}[\"'][^\"'>]{{0,80}}{_HIDES}"),
    )
)
"""Shapes that begin with a mark of their own, on folded text."""

BREAK_OUT = re.compile(r"<(/?)({})\s{{0,4}}>".format("|".join(GENERIC_TAGS)))
"""A tag of the frame; a closing one that nothing opened tries to leave the place where the text stands."""
ROLE_TURN = re.compile(
    r"\n[ \t]{0,8}\n[ \t]{0,8}((?:System|Assistant|User|Human|SYSTEM|ASSISTANT|USER|HUMAN)[ \t]{0,4}:)"
)
"""A forged turn: a role in capitals after an empty line. On the text as it stands."""
AT_FILE = re.compile(r"(?<!\S)@(?=[\w./~\"'\\-])|\A\s{0,20}[/!](?=\w)")
"""What a command line would take for a file to attach or a command to run."""
