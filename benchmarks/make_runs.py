"""Make recorded runs of a travel agent, as many as wanted: `agent-tui/1` as JSON Lines.

    python benchmarks/make_runs.py --runs 80000 --out runs.jsonl      about 1.2 GB
    python benchmarks/make_runs.py --runs 100 --out -                 to stdout

The same arguments give the same bytes, and `--start` gives the same slice of a longer file. What was done to a run
stands in its `metadata.deviation`, so that a scorer can be checked:

    none          it did what it should
    wrong_arg     one argument of one call has another value
    wrong_order   two neighbouring calls changed places
    extra         one call more
    missing       one call less
    duplicate     one call twice in a row
    respelt       other JSON text of the same arguments: key order, 140 as 140.0 or 14e1, escapes
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from itertools import accumulate
from math import exp, log
from pathlib import Path
from random import Random
from typing import Any

Call = tuple[str, dict[str, Any]]

DEVIATIONS = {
    "none": 52,
    "wrong_arg": 12,
    "wrong_order": 6,
    "extra": 8,
    "missing": 8,
    "duplicate": 6,
    "respelt": 8,
}
HEADER = {"schema": "agent-tui/1", "bundle": {"id": "made-runs", "agent": "travel-agent"}}
TASKS = 2000
KNOWS_CALLS, KNOWS_ANSWER, TRUTH_HOLDS = 0.95, 0.8, 0.8

PLACES = [
    "Genève",
    "Łódź",
    "Ísafjörður",
    "København",
    "Ρόδος",
    "Харків",
    "大阪",
    "부산",
    "Curaçao",
    "Bogotá",
    "Fes",
    "Hull",
]
CODES = ["GVA", "LCJ", "IFJ", "CPH", "RHO", "HRK", "KIX", "PUS", "CUR", "BOG", "FEZ", "HUY"]
PEOPLE = ["Aino Virtanen", "Bartek Żak", "Çelik Demir", "Dóra Szűcs", "Eoin Ó Sé", "Fikre Alemu", "Gül Şahin", "何秀英"]
# fmt: off
PROSE = [
    "please", "keep", "two", "seats", "together", "and", "note", "that", "one", "bag", "goes", "in", "the",
    "hold", "since", "our", "train", "arrives", "late", "so", "a", "quick", "transfer", "matters", "crème",
    "brûlée", "façade", "«so»", '"quoted"', "slash\\ed", "tab\tbed", "new\nline", "🚆", "☂️", "thanks",
]
# fmt: on
FARES = [140, 312.4, 1780, 99.95]


def date(random: Random) -> str:
    return f"2026-{random.randint(1, 12):02d}-{random.randint(1, 28):02d}"


def prose(random: Random, low: int, high: int) -> str:
    return " ".join(random.choices(PROSE, k=random.randint(low, high)))


def traveller(random: Random) -> dict[str, Any]:
    return {
        "name": random.choice(PEOPLE),
        "age": random.randint(2, 88),
        "card": {"level": random.choice(["blue", "silver", "gold", None]), "miles": random.randrange(200_000)},
    }


def find_flights(random: Random) -> dict[str, Any]:
    origin, destination = random.sample(CODES, 2)
    return {
        "origin": origin,
        "destination": destination,
        "date": date(random),
        "travellers": random.randint(1, 4),
        "price": {"max": random.choice([140, 260.5, 400, 1200]), "currency": "EUR"},
        "options": {"direct": random.random() < 0.5, "avoid": random.sample(CODES, 2), "stops": None},
    }


def find_hotels(random: Random) -> dict[str, Any]:
    rooms = [
        {"adults": random.randint(1, 3), "children": [random.randrange(17) for _ in range(random.randrange(3))]}
        for _ in range(random.randint(1, 2))
    ]
    budget = {"amount": round(random.uniform(50, 900), 2), "currency": random.choice(["EUR", "CHF"])}
    return {
        "place": random.choice(PLACES),
        "arrive": date(random),
        "nights": random.randint(1, 14),
        "rooms": rooms,
        "budget": budget,
    }


def forecast(random: Random) -> dict[str, Any]:
    return {"place": random.choice(PLACES), "date": date(random), "units": "metric"}


def exchange(random: Random) -> dict[str, Any]:
    return {"amount": random.choice([1, 100.0, 89.95, 0.001, 123456789012]), "from": "CHF", "to": "EUR"}


def free_days(random: Random) -> dict[str, Any]:
    return {"person": random.choice(PEOPLE), "from": date(random), "to": date(random), "weekends": True}


def book_flight(random: Random) -> dict[str, Any]:
    return {
        "offer": f"of-{random.getrandbits(48):012x}",
        "travellers": [traveller(random) for _ in range(random.randint(1, 3))],
        "payment": {"token": f"tok-{random.getrandbits(64):016x}", "amount": random.choice(FARES)},
        "seat": random.choice(["4A", "17F", None]),
    }


def book_hotel(random: Random) -> dict[str, Any]:
    return {"hotel": random.getrandbits(53), "guest": traveller(random), "wishes": prose(random, 0, 12)}


def send_mail(random: Random) -> dict[str, Any]:
    return {
        "to": [f"guest{random.randrange(900)}@example.org"],
        "subject": f"Your trip to {random.choice(PLACES)}",
        "text": prose(random, 10, 60),
    }


def cancel(random: Random) -> dict[str, Any]:
    return {"booking": f"BK-{random.randrange(10**6):06d}", "reason": random.choice(["ill", "new plan", "coût"])}


TOOLS: dict[str, tuple[Callable[[Random], dict[str, Any]], int]] = {
    "find_flights": (find_flights, 26),
    "find_hotels": (find_hotels, 20),
    "forecast": (forecast, 14),
    "exchange": (exchange, 10),
    "free_days": (free_days, 8),
    "book_flight": (book_flight, 8),
    "book_hotel": (book_hotel, 6),
    "send_mail": (send_mail, 6),
    "cancel": (cancel, 2),
}
NAMES = list(TOOLS)
USE = list(accumulate(weight for _, weight in TOOLS.values()))
DEVIATION_USE = list(accumulate(DEVIATIONS.values()))


def plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def respell(random: Random, value: Any) -> str:
    """Another JSON text of the same value."""
    if isinstance(value, dict):
        keys = random.sample(list(value), len(value))
        return "{" + ", ".join(f"{json.dumps(key)}: {respell(random, value[key])}" for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(respell(random, one) for one in value) + "]"
    if isinstance(value, int) and not isinstance(value, bool):
        return respell_integer(random, value)
    if isinstance(value, float) and "e" not in repr(value) and random.random() < 0.5:
        return f"{value!r}0"
    return json.dumps(value)


def respell_integer(random: Random, value: int) -> str:
    if random.random() < 0.4 and value < 2**53:
        return f"{value}.0"
    digits = str(value)
    zeros = len(digits) - len(digits.rstrip("0"))
    return f"{digits[:-zeros]}e{zeros}" if value and zeros and random.random() < 0.5 else digits


def make_call(random: Random) -> Call:
    [name] = random.choices(NAMES, cum_weights=USE)
    return name, TOOLS[name][0](random)


def number_of_calls(random: Random, mean: float) -> int:
    """A Poisson number, at least 1 and at most 80."""
    floor, product, count = exp(-mean), random.random(), 0
    while product > floor:
        product *= random.random()
        count += 1
    return min(80, max(1, count))


def deviate(random: Random, calls: list[Call], deviation: str) -> list[Call]:
    """The calls with the deviation in them (`none` and `respelt` leave the values as they are)."""
    done = list(calls)
    at = random.randrange(len(done))
    if deviation == "wrong_arg":
        name, arguments = done[at]
        done[at] = name, arguments | {random.choice(list(arguments)): "something else"}
    elif deviation == "wrong_order":
        at = min(at, max(0, len(done) - 2))
        done[at : at + 2] = reversed(done[at : at + 2])
    elif deviation == "extra":
        done.insert(at, make_call(random))
    elif deviation == "missing":
        del done[at]
    elif deviation == "duplicate":
        done.insert(at, done[at])
    return done


class Results:
    """Texts of tool results, joined from pieces that were encoded once."""

    def __init__(self) -> None:
        random = Random("results")
        self._items = [plain(self._item(random)) for _ in range(500)]
        self._texts = [plain(prose(random, 8, 40))[1:-1] for _ in range(300)]

    @staticmethod
    def _item(random: Random) -> dict[str, Any]:
        origin, destination = random.sample(CODES, 2)
        return {
            "offer": f"of-{random.getrandbits(48):012x}",
            "route": [origin, destination],
            "leaves": f"{date(random)}T{random.randrange(24):02d}:45:00Z",
            "price": {"amount": round(random.uniform(40, 2000), 2), "currency": "EUR"},
            "place": random.choice(PLACES),
            "seats_left": random.randrange(10),
            "note": prose(random, 0, 18),
        }

    def draw(self, random: Random, mean: float) -> str:
        """A result of log-normal size around the mean, 100 bytes to 50 kB; now and then an error."""
        if random.random() < 0.03:
            return '{"error":{"code":"timeout","message":"no answer within 30.0 s"}}'
        size = min(50_000.0, max(min(100.0, mean), random.lognormvariate(log(mean) - 0.605, 1.1)))
        if size < 200:
            return f'{{"status":"ok","code":{random.randint(200, 204)},"ref":"{random.getrandbits(160):x}"}}'
        if random.random() < 0.3:
            return f'"{self._joined(random, self._texts, size, " ")}"'
        return f'{{"status":"ok","items":[{self._joined(random, self._items, size, ",")}],"next":null}}'

    @staticmethod
    def _joined(random: Random, pieces: list[str], size: float, between: str) -> str:
        at = random.randrange(len(pieces))
        taken: list[str] = []
        while size > 40 or not taken:
            taken.append(pieces[at])
            size -= len(pieces[at].encode()) + 1
            at = (at + 7) % len(pieces)
        return between.join(taken)


RESULTS = Results()


def make_run(seed: int, number: int, calls_mean: float, result_bytes: float) -> str:
    """The line of run `number`: a function of its arguments alone."""
    random = Random(f"{seed}/{number}")
    should = [make_call(random) for _ in range(number_of_calls(random, calls_mean))]
    [deviation] = random.choices(list(DEVIATIONS), cum_weights=DEVIATION_USE)
    did = deviate(random, should, deviation)
    if deviation == "wrong_order" and did == should:
        deviation = "none"
    calls = ",".join(
        f'{{"id":"c{n}","name":"{name}",'
        f'"args":{respell(random, arguments) if deviation == "respelt" else plain(arguments)},'
        f'"result":{RESULTS.draw(random, result_bytes)},"ms":{random.randint(5, 4000)}}}'
        for n, (name, arguments) in enumerate(did)
    )
    fare = random.choice(FARES)
    answer = plain(f"Booked for {fare} EUR. {prose(random, 5, 50)}")
    run = {
        "id": f"run-{number:09d}",
        "task": f"trip-{number % TASKS:04d}",
        "epoch": number // TASKS + 1,
        "model": random.choice(["model-a", "model-b", "model-b-small"]),
        "started": f"{date(random)}T{random.randrange(24):02d}:00:00Z",
        "expected": expected(random, should, fare),
        "usage": {
            "input_tokens": random.randint(500, 90_000),
            "output_tokens": random.randint(50, 4000),
            "cost_usd": round(random.random(), 4),
        },
        "metadata": {"deviation": deviation},
    }
    return f'{plain(run)[:-1]},"actual":{{"calls":[{calls}],"answer":{answer}}}}}'


def expected(random: Random, should: list[Call], fare: float) -> dict[str, Any] | None:
    known: dict[str, Any] = {}
    if random.random() < KNOWS_CALLS:
        known["calls"] = [{"name": name, "args": arguments} for name, arguments in should]
    if random.random() < KNOWS_ANSWER:
        known["answer"] = {"number": {"value": fare if random.random() < TRUTH_HOLDS else fare + 1}}
    return known or None


def spoil(random: Random, line: bytes) -> bytes:
    """The line made unreadable in one of the ways that are met in the wild."""
    return random.choice(
        [
            line[: random.randrange(1, len(line))],
            b"Traceback (most recent call last):",
            b'{"id":"bad","actual":{"calls":"none"}}',
            line[:30] + b"\xff\xfe" + line[30:],
            b"",
        ]
    )


def make_lines(
    runs: int,
    *,
    start: int = 0,
    seed: int = 1,
    calls_mean: float = 8.0,
    result_bytes: float = 1500.0,
    malformed_rate: float = 0.0,
) -> Iterator[bytes]:
    """The lines of the file without their line ends; the header first, where the file starts at run 0."""
    if start == 0:
        yield plain(HEADER).encode()
    for number in range(start, start + runs):
        line = make_run(seed, number, calls_mean, result_bytes).encode()
        random = Random(f"{seed}/{number}/spoil")
        yield spoil(random, line) if malformed_rate and random.random() < malformed_rate else line


def write(out: str, lines: Iterator[bytes]) -> None:
    if out == "-":
        sys.stdout.buffer.writelines(line + b"\n" for line in lines)
        return
    with Path(out).open("wb") as file:
        file.writelines(line + b"\n" for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--start", type=int, default=0, help="number of the first run")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--calls-mean", type=float, default=8.0)
    parser.add_argument("--result-bytes", type=float, default=1500.0, help="mean size of one result")
    parser.add_argument("--malformed-rate", type=float, default=0.0, help="share of lines that are spoilt")
    parser.add_argument("--out", default="-", help="a file, or - for stdout")
    options = vars(parser.parse_args())
    write(options.pop("out"), make_lines(**options))


if __name__ == "__main__":
    main()
