"""What ``tengen fit`` prints of its reports."""

from typing import Any

from tengen.engine.columns import named


def of_weights(report: dict[str, Any]) -> str:
    """Return the report of a fit of weights as text."""
    games, positions, left = report["games"], report["positions"], report["left_out"]
    head = [
        ("game", report["game"]),
        ("weights", f"{report['fingerprint']}   from {report['base']}"),
        ("games", f"{games['learned']}   held out {games['held_out']}"),
        ("positions", f"{positions['learned']}   held out {positions['held_out']}"),
        ("left out", f"{left['tense']} tense   {left['proven']} proven   {left['even']} even"),
        ("steps", f"{report['steps']}"),
        ("kept in", report["out"]),
    ]
    lines = [*named(head), *losses(report)]
    lines += ["", "predicted    actual positions   (held out)"]
    lines += [
        f"{100 * p['predicted']:8.1f}% {100 * p['actual']:8.1f}% {p['count']:9}"
        for p in report["calibration"]
    ]
    lines += [f"mean error {100 * report['calibration_error']:.2f}%"]
    for row, found in report["rows"].items():
        lines += ["", f"{row}: {found['positions']} positions, scale {found['scale']:g}"]
        lines += [f"  {'feature':<16} {'base':>8} {'new':>8} {'size':>8}"]
        lines += [
            f"  {name:<16} {f['base']:>8} {f['weight']:>8} {f['size']:>8.2f}"
            for name, f in found["features"].items()
        ]
    return "\n".join(lines)


def of_net(report: dict[str, Any]) -> str:
    """Return the report of a training of a net as text."""
    positions, teacher = report["positions"], []
    if told := report.get("teacher"):
        loss = told["loss"]
        last = f"loss {loss['learned']:.5f} held out {loss['held_out']:.5f}"
        teacher = [("teacher", f"{told['epochs']} epochs   {last}")]
    head = [
        ("game", report["game"]),
        ("weights", f"{report['fingerprint']}   from {report['base']}"),
        ("positions", f"{positions['learned']}   held out {positions['held_out']}"),
        ("epochs", f"{len(report['course'])}"),
        *teacher,
        ("rounding", f"{report['rounding']:.1f} centi-points"),
        ("kept in", report["out"]),
    ]
    lines = [*named(head), *losses(report)]
    lines += ["", f"{'bucket':<10} {'linear':>9} {'net':>9}   (held out, unproven)"]
    lines += [f"{i:<10} {b['linear']:9.5f} {b['net']:9.5f}" for i, b in enumerate(report["buckets"])]
    return "\n".join(lines)


def of_board_net(report: dict[str, Any]) -> str:
    """Return the report of a training of a convolutional net as text."""
    positions, last = report["positions"], report["course"][-1]
    low, high = report["sizes"]
    komis = [
        f"{low / 100:g} to {high / 100:g} with {scoring} scoring"
        for scoring, (low, high) in zip(("area", "territory"), report["komis"], strict=True)
        if low <= high
    ]
    tops = "   ".join(f"first {top}: {100 * share:.1f}%" for top, share in report["tops"].items())
    rows = [
        ("game", report["game"]),
        ("weights", report["fingerprint"]),
        ("boards", f"{low}x{low}" if low == high else f"{low}x{low} to {high}x{high}"),
        ("komis", ", ".join(komis)),
        ("positions", f"{positions['learned']}   held out {positions['held_out']}"),
        ("epochs", f"{len(report['course'])}"),
        ("policy", tops),
        ("share", f"{report['share']:.2f} of the net in the value of a leaf"),
        ("kept in", report["out"]),
    ]
    lines = [*named(rows), "", f"{'loss':<10} {'learned':>9} {'held out':>9}"]
    lines += [
        f"{name:<10} {last['learned'][name]:9.5f} {last['held_out'][name]:9.5f}" for name in last["learned"]
    ]
    lines += ["", f"{'win rate':<10} {'held out':>9}"]
    lines += [f"{name:<10} {loss:9.5f}" for name, loss in report["losses"].items()]
    return "\n".join(lines)


def of_moves(report: dict[str, Any]) -> str:
    """Return the report of a fit of moves as text."""
    games = report["games"]
    left_out = "   ".join(f"{count} {reason}" for reason, count in report["left_out"].items())
    rows = [
        ("game", report["game"]),
        ("gammas", report["fingerprint"]),
        ("games", f"{games['learned']}   held out {games['held_out']}"),
        ("left out", left_out or "none"),
        ("patterns", report["patterns"]),
        ("kept in", report["out"]),
    ]
    columns = f"{'moves':>9} {'top 1':>7} {'top 5':>7} {'top 10':>7} {'loss':>8} {'perplexity':>11}"
    lines = [*named(rows), "", f"{'':<10} {columns}"]
    for name, part in report["accuracy"].items():
        shares = " ".join(f"{100 * share:6.1f}%" for share in part["top"].values())
        title = name.replace("_", " ")
        lines.append(
            f"{title:<10} {part['positions']:9} {shares} {part['loss']:8.4f} {part['perplexity']:11.2f}"
        )
    lines.append(f"{'uniform':<10} {'':33} {report['accuracy']['held_out']['uniform_loss']:8.4f}")
    for name, levels in report["features"].items():
        lines += ["", f"{name:<28} {'gamma':>8} {'played':>8}"]
        lines += [
            f"  {level:<26} {found['gamma']:8.2f} {found['played']:8}"
            for level, found in levels.items()
            if found["played"]
        ]
    return "\n".join(lines)


def losses(report: dict[str, Any]) -> list[str]:
    """Return the table of losses."""
    rows = [f"{k:<10} {v['train']:9.5f} {v['held_out']:9.5f}" for k, v in report["losses"].items()]
    return ["", f"{'loss':<10} {'learned':>9} {'held out':>9}", *rows]
