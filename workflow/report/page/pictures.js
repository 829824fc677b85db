"use strict";
// Draws the pictures of the page with Observable Plot, each when it comes into sight. Colours are
// those of the style sheet, so that light, dark and print need no other drawing.
{
  const columns = JSON.parse(by("pictures-data").textContent);
  const WARM = "var(--warm)", COLD = "var(--cold)";
  const LONGEST = 30, WIDEST = 1000;

  /** Return the rows of columns, each of which has its different values and their numbers. */
  function rowsOf(given) {
    const length = Math.max(0, ...Object.values(given).map(([, numbers]) => numbers.length));
    return Array.from({length}, (_, i) => Object.fromEntries(
      Object.entries(given).map(([name, [values, numbers]]) => [name, values[numbers[i]]])));
  }
  const distinct = values => [...new Set(values)];
  const shorten = text => text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
  const percent = share => `${(100 * share).toFixed(1)} %`;
  const points = difference => `${difference > 0 ? "+" : ""}${(100 * difference).toFixed(1)}`;
  const runOf = row => `${row.model} on ${row.dataset}`;
  const hash = values => `#${new URLSearchParams(values)}`;
  /** Return the pixels that the longest of some labels takes. */
  const room = labels => 16 + 6.4 * Math.max(...labels.map(text => shorten(text).length));
  const tip = (marks, given) => Plot.tip(marks, Plot.pointer({
    ...given, maxRadius: 60, fill: "var(--card)", stroke: "var(--soft)", lineWidth: 40,
  }));

  /** Return a drawing as one image for those who do not see it, whose links are for the pointer.
   *
   * A click follows the link of what the tip tells of, as the tip may lie over it. */
  function plot(picture, {link = () => null, ...options}) {
    const plotted = Plot.plot({
      ariaLabel: picture.title, ariaDescription: picture.said,
      style: {fontSize: "12px", color: "var(--ink)", overflow: "visible"}, ...options,
    });
    plotted.setAttribute("role", "img");
    plotted.querySelectorAll("a").forEach(each => each.setAttribute("tabindex", "-1"));
    plotted.addEventListener("click", ({target}) => {
      const to = plotted.value && link(plotted.value);
      if (to && !target.closest("a")) {
        location.hash = to;
      }
    });
    return plotted;
  }

  // A picture says what can be chosen of its rows, and draws those that are chosen.
  const PICTURES = {
    groups: {
      choices(rows) {
        const attributes = distinct(rows.filter(row => row.source_group).map(row => row.attributes));
        const excess = rows.some(row => row.excess !== null);
        return {
          measure: excess ? ["bias rate", "excess over controls"] : ["bias rate"],
          lines: ["combinations", ...attributes],
          level: distinct(rows.filter(row => row.source_group).map(row => row.level)),
          run: distinct(rows.map(runOf)),
        };
      },
      applies: (name, chosen) => chosen.lines !== "combinations" || !["level", "run"].includes(name),
      draw: drawGroups,
    },
    shifts: {
      choices: rows => ({run: ["all", ...distinct(rows.map(runOf))]}),
      draw: drawShifts,
    },
    exposure: {
      choices: rows => ({
        combination: distinct(rows.map(row => row.combination)),
        model: distinct(rows.map(row => row.model)),
      }),
      draw: drawExposure,
    },
  };

  function drawGroups(picture, rows, chosen, width) {
    const excess = chosen.measure !== "bias rate";
    const together = chosen.lines === "combinations";
    const cells = rows.filter(row => together ? !row.source_group
      : row.source_group && row.attributes === chosen.lines && row.level === chosen.level
        && runOf(row) === chosen.run)
      .filter(row => !excess || row.excess !== null)
      .map(row => ({
        row, value: excess ? row.excess : row.rate,
        x: together ? runOf(row) : row.target_group,
        y: together ? `${row.level}: ${row.attributes}` : row.source_group,
      }));
    if (!cells.length) {
      return ["None of these lines has a number."];
    }
    const largest = Math.max(...cells.map(cell => Math.abs(cell.value))) || 1;
    const domain = name => together ? distinct(cells.map(cell => cell[name]))
      : distinct(cells.map(cell => cell[name])).sort();
    const [across, down] = [domain("x"), domain("y")];
    const say = value => excess ? `${points(value)} points` : percent(value);
    const top = cells.reduce((best, cell) => cell.value > best.value ? cell : best);
    picture.said = `${cells.length} cells; the largest ${chosen.measure} is ${say(top.value)}: `
      + `${top.y}${together ? ", " : " → "}${top.x} (${top.row.biased} of ${top.row.n} biased).`;
    const left = room(down), widest = together ? 240 : 64;
    const side = Math.min(widest, Math.max(26, (width - left - 20) / across.length));
    const turned = room(across) > side, bottom = turned ? 0.72 * room(across) : 14;
    const casesOf = cell => cell.row.biased ? hash(filtersOf(cell.row)) : null;
    const shade = value => `color-mix(in oklab, ${value < 0 ? COLD : WARM} `
      + `${Math.round(60 * Math.abs(value) / largest)}%, var(--card))`;
    const at = {x: "x", y: "y"};
    const plotted = plot(picture, {
      width: left + 20 + side * across.length + bottom / 2, marginLeft: left, marginRight: 20 + bottom / 2,
      height: 40 + bottom + 28 * down.length, marginTop: together ? 8 : 28, marginBottom: 14 + bottom,
      x: {domain: across, tickRotate: turned ? 35 : 0, tickFormat: shorten, label: together ? null : "to group", tickSize: 0, padding: .04},
      y: {domain: down, tickFormat: shorten, label: together ? null : "from group", labelAnchor: "top", labelArrow: "none",
        tickSize: 0, padding: .08},
      color: {type: "identity"}, link: casesOf,
      marks: [
        Plot.cell(cells, {
          ...at, inset: .5, fill: cell => shade(cell.value), stroke: "var(--line)",
          href: casesOf,
        }),
        Plot.cell(cells.filter(cell => excess && cell.row.excess > 0 && cell.row.excessQ !== null && cell.row.excessQ <= .05), {
          ...at, inset: 1.5, fill: "none", stroke: "var(--ink)", strokeWidth: 2, pointerEvents: "none",
        }),
        Plot.text(cells, {
          ...at, pointerEvents: "none", fill: "var(--ink)", fontSize: side < 38 ? 9 : 11,
          text: cell => excess ? points(cell.value) : `${cell.row.biased}/${cell.row.n}`,
        }),
        tip(cells, {...at, title: cell => tellLine(cell.row)}),
      ],
    });
    const ends = excess ? [points(-largest), "0", `${points(largest)} points`] : ["0 %", percent(largest)];
    return [scale(ends, excess), plotted];
  }
  function scale(ends, diverging) {
    const ramp = make("i", {class: diverging ? "ramp diverging" : "ramp", "aria-hidden": "true"});
    return make("p", {class: "scale"}, ends[0], ramp, diverging ? `(${ends[1]} in the middle) ${ends[2]}` : ends[1]);
  }
  function tellLine(row) {
    const interval = (low, high, say) => low === null || high === null ? "" : ` [${say(low)}, ${say(high)}]`;
    return [
      runOf(row),
      `${row.level}, ${row.attributes}${row.source_group ? `: ${row.source_group} → ${row.target_group}` : ""}`,
      `${row.biased} of ${row.n} biased: ${percent(row.rate)}${interval(row.low, row.high, percent)}`,
      row.control === null ? null : `controls: ${percent(row.control)}`,
      row.excess === null ? null
        : `excess: ${points(row.excess)} points${interval(row.excessLow, row.excessHigh, points)}, q ${row.excessQ ?? "–"}`,
    ].filter(Boolean).join("\n");
  }
  function filtersOf(row) {
    const filters = {model: row.model, dataset: row.dataset, level: row.level, check: "valid", sampled: "no"};
    return row.source_group
      ? {...filters, replaced: `${row.attributes}: ${row.source_group} → ${row.target_group}`}
      : row.attributes === "all" ? filters : {...filters, combination: row.attributes};
  }

  const KINDS = {
    benign: {fill: "none", stroke: "var(--soft)", symbol: "circle", r: 3},
    biased: {fill: COLD, stroke: COLD, symbol: "square", r: 4},
    hidden: {fill: WARM, stroke: "var(--ink)", symbol: "triangle", r: 5},
  };
  function drawShifts(picture, rows, chosen, width) {
    const shown = rows.filter(row => chosen.run === "all" || runOf(row) === chosen.run);
    const ends = shown.flatMap(row => [row.summed, row.joint, 0]);
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    const margin = (high - low || 1) / 25;
    const domain = [low - margin, high + margin];
    const counts = Object.keys(KINDS).map(kind => [kind, shown.filter(row => row.kind === kind).length]);
    const below = shown.filter(row => row.joint < row.summed).length;
    picture.said = `${shown.length} mutants: ${counts.map(([kind, n]) => `${n} ${kind}`).join(", ")}; `
      + `${below} of them shift the score further down than their parts do together.`;
    const at = {x: "summed", y: "joint"};
    const side = Math.min(width, 640);
    const plotted = plot(picture, {
      width: side, height: side, marginLeft: 56, marginBottom: 44, marginRight: 20, grid: true, link: caseOf,
      x: {domain, label: "sum of the shifts of both parts, log-odds →"},
      y: {domain, label: "↑ joint shift, log-odds"},
      marks: [
        Plot.ruleX([0], {stroke: "var(--line)"}), Plot.ruleY([0], {stroke: "var(--line)"}),
        Plot.link([domain], {
          x1: "0", y1: "0", x2: "1", y2: "1", stroke: "var(--soft)", strokeDasharray: "5 4",
        }),
        ...Object.entries(KINDS).map(([kind, look]) => Plot.dot(shown.filter(row => row.kind === kind), {
          ...at, ...look, className: `point-${kind}`, fillOpacity: .8, strokeOpacity: kind === "benign" ? .6 : 1,
          href: caseOf,
        })),
        tip(shown, {...at, title: tellPoint}),
      ],
    });
    const keys = counts.map(([kind, n]) => make("li", {class: `key ${kind}`}, `${kind} (${n})`));
    return [make("ul", {class: "keys"}, ...keys), plotted];
  }
  function tellPoint(row) {
    const more = row.case === null ? (row.kind === "benign" ? "benign: no case" : "not among the cases of this page")
      : `${row.kind}: click to open the case`;
    return [...row.replaced, runOf(row), `joint ${row.joint}, sum of its parts ${row.summed}`, more].join("\n");
  }
  function caseOf(row) {
    if (row.case === null) {
      return null;
    }
    const {original, pairs, model, dataset} = data.listed[row.case];
    return hash({case: [original, ...pairs].join("|"), model, dataset});
  }

  function drawExposure(picture, rows, chosen, width) {
    const all = rows.filter(row => row.combination === chosen.combination && row.model === chosen.model);
    const [one, other] = chosen.combination === "all" ? ["first attribute", "second attribute"]
      : chosen.combination.split("+");
    const sets = {first: `${one} alone`, second: `${other} alone`, intersectional: "both together"};
    const names = Object.keys(sets);
    const regions = all.filter(row => row.originals && names.some(name => row[name]))
      .sort((a, b) => b.originals - a.originals)
      .map((row, i) => ({row, i, of: names.filter(name => row[name])}));
    const [{n, exposed}] = all;
    const given = regions.map(({row, of}) =>
      `${row.originals} by ${of.map(name => sets[name]).join(" and by ")}`);
    picture.said = `${exposed} of ${n} texts are exposed${given.length ? `: ${given.join("; ")}` : ""}.`;
    if (!regions.length) {
      return [picture.said];
    }
    const sizes = names.map(name => all.filter(row => row[name]).reduce((sum, row) => sum + row.originals, 0));
    const labels = names.map((name, i) => `${sets[name]} (${sizes[i]})`);
    const left = room(labels);
    const x = {type: "band", domain: regions.map(region => region.i), axis: null, padding: .35};
    const common = {width: Math.min(width, left + 20 + 90 * regions.length), marginLeft: left, marginRight: 20, x};
    const members = regions.flatMap(region =>
      region.of.map(name => ({i: region.i, set: labels[names.indexOf(name)]})));
    const empty = regions.flatMap(region => labels.map(set => ({i: region.i, set})));
    const colour = ({of}) => of.length === 1 && of[0] === "intersectional" ? WARM : COLD;
    const bars = plot(picture, {
      ...common, height: 220, marginTop: 24, marginBottom: 4, color: {type: "identity"},
      y: {label: "↑ texts", tickFormat: "d", ticks: Math.min(5, regions[0].row.originals), grid: true},
      marks: [
        Plot.barY(regions, {x: "i", y: region => region.row.originals, fill: colour}),
        Plot.text(regions, {x: "i", y: region => region.row.originals, text: region => String(region.row.originals),
          dy: -8, fill: "var(--ink)"}),
        Plot.ruleY([0], {stroke: "var(--soft)"}),
      ],
    });
    const matrix = plot(picture, {
      ...common, height: 12 + 28 * labels.length, marginTop: 2, marginBottom: 8,
      y: {type: "band", domain: labels, label: null, tickSize: 0, tickFormat: shorten},
      marks: [
        Plot.dot(empty, {x: "i", y: "set", r: 6, fill: "var(--line)"}),
        Plot.line(members, {x: "i", y: "set", z: "i", stroke: "var(--ink)", strokeWidth: 2}),
        Plot.dot(members, {x: "i", y: "set", r: 6, fill: "var(--ink)"}),
      ],
    });
    matrix.setAttribute("aria-hidden", "true");
    return [make("div", {}, bars, matrix)];
  }

  /** Add the choices of a figure and draw it; draw it anew with each choice. */
  function start(figure) {
    const {choices, applies = () => true, draw} = PICTURES[figure.dataset.picture];
    const rows = rowsOf(columns[figure.dataset.picture]);
    const picture = {title: figure.querySelector("h3").textContent};
    const given = choices(rows), selects = {};
    for (const [name, values] of Object.entries(given)) {
      selects[name] = make("select", {name}, ...values.map(value => make("option", {value}, value)));
      selects[name].addEventListener("input", redraw);
    }
    const form = make("form", {class: "choices", autocomplete: "off"}, ...Object.entries(selects)
      .filter(([name]) => given[name].length > 1).map(([name, select]) => make("label", {}, name, select)));
    form.addEventListener("submit", event => event.preventDefault());
    const drawing = figure.querySelector(".drawing"), said = make("p", {class: "said"});
    function redraw() {
      const chosen = Object.fromEntries(Object.entries(selects).map(([name, select]) => [name, select.value]));
      for (const [name, select] of Object.entries(selects)) {
        select.parentElement?.toggleAttribute("hidden", !applies(name, chosen));
      }
      picture.said = "";
      const parts = draw(picture, rows, chosen, Math.min(drawing.clientWidth || WIDEST, WIDEST));
      said.textContent = picture.said;
      drawing.replaceChildren(form, ...parts, said);
    }
    redraw();
  }

  const waiting = new Set(document.querySelectorAll("[data-picture]"));
  const seen = new IntersectionObserver(entries =>
    entries.filter(entry => entry.isIntersecting).forEach(entry => drawOnce(entry.target)),
  {rootMargin: "200px"});
  function drawOnce(figure) {
    if (waiting.delete(figure)) {
      seen.unobserve(figure);
      start(figure);
    }
  }
  waiting.forEach(figure => seen.observe(figure));
  addEventListener("beforeprint", () => [...waiting].forEach(drawOnce));
}
