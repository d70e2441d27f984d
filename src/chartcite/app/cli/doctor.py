"""`chartcite doctor`: is everything here, and does it compute what it should?"""

from __future__ import annotations

from chartcite.app.cli import exits, options, output


def doctor(
    lang: options.Lang = None,
    json: options.Json = False,
    store: options.Store = None,
    preset: options.Preset = None,
    config: options.ConfigFile = None,
) -> int:
    """Check the installation, the models, the store, and the disk; exit 1 if something fails."""
    from chartcite.app.doctor import examine  # noqa: PLC0415
    from chartcite.app.render.tables import check_lines  # noqa: PLC0415

    checks = list(examine(options.configure(store, config, preset, output_language=lang)))
    is_well = all(check.status != "fail" for check in checks)
    if json:
        output.print_json({"schema": "chartcite.doctor/1", "ok": is_well, "checks": [c.to_dict() for c in checks]})
    else:
        output.print_lines(check_lines(checks, output.paper()))
    return exits.DONE if is_well else exits.ERROR
