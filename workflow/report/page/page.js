"use strict";
const by = id => document.getElementById(id);

/** Return an element with attributes and children; a text is never read as mark-up. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

/** What the browser keeps: nothing where it may not. */
const kept = {
  get(key) { try { return localStorage.getItem(key); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(key, value); return true; } catch { return false; } },
};

// The notice: nothing below the summary is shown before it is accepted, once per browser.
const ACCEPTED = "hinter-notice-accepted";
function showBelow(accepted) {
  by("notice").hidden = accepted;
  by("shown").hidden = !accepted;
}
showBelow(kept.get(ACCEPTED) === "yes");

// A link to a table or figure opens it, and what it lies in.
function reveal() {
  const found = by(location.hash.slice(1));
  for (let at = found?.closest("details"); at; at = at.parentElement.closest("details")) {
    at.open = true;
  }
  if (found?.closest("details")) {
    found.scrollIntoView();
  }
}
addEventListener("hashchange", reveal);
// Whoever follows the same link a second time has gone elsewhere in between.
document.addEventListener("click", ({target}) => {
  const link = target.closest("a");
  if (link && [link.getAttribute("href"), link.getAttribute("xlink:href")].includes(location.hash)) {
    dispatchEvent(new Event("hashchange"));
  }
});
addEventListener("accepted", reveal);
reveal();

// What is folded away is printed, too.
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  folded.forEach(each => { each.open = true; });
});
addEventListener("afterprint", () => folded.forEach(each => { each.open = false; }));

const data = by("cases-data") ? JSON.parse(by("cases-data").textContent) : null;
if (data && data.listed.length) {
  browse();
}
by("accept").addEventListener("click", () => {
  kept.set(ACCEPTED, "yes");
  showBelow(true);
  dispatchEvent(new Event("accepted"));
});

function browse() {
  const EVEN = 0.1, ROW = 68, ANSWERS = `hinter-answers-${data.key}`;
  const pairs = data.pairs;
  // A person who is not described yet gets the term as a descriptor.
  const inWords = ([, from, , source, target]) => from === "undescribed" ? `${target} ${source}` : `${source} → ${target}`;
  const cases = data.listed.map(details => {
    const named = details.pairs.map(id => pairs[id]);
    const readings = details.readings.map(number => data.readings[number]);
    const control = details.control && {...details.control, reading: data.readings[details.control.reading]};
    return {
      ...details, readings, control,
      id: details.id ?? [details.original, ...details.pairs].join("|"),
      text: data.originals[details.dataset][details.original],
      combination: named.map(pair => pair[0]).join("+"),
      title: details.title ?? named.map(inWords).join(", "),
      mutations: details.title ?? named.map(pair => `${pair[3]} → ${pair[4]}`).join(", "),
      groups: named.flatMap(pair => [`${pair[0]}: ${pair[1]}`, `${pair[0]}: ${pair[2]}`]),
      // What a prompt tells in place of a term is its group.
      terms: details.kind ? [] : named.flatMap(pair => [pair[3], pair[4]]),
      replaced: named.map(pair => `${pair[0]}: ${pair[1]} → ${pair[2]}`),
      first: readings[0],
      last: readings.at(-1),
    };
  });
  for (const each of cases) {
    const words = each.changes.map(change => change[2]);
    each.words = [each.id, each.title, ...each.groups, ...words].join(" ").toLowerCase();
  }
  // People judge mutants; what probes and relations make of prompts is sound.
  const mutants = cases.filter(each => !each.kind);
  const texts = new Map();
  for (const each of cases) {
    if (!texts.has(each.text)) {
      texts.set(each.text, each.text.passages.map(passage => passage[1]).join(" ").toLowerCase());
    }
  }

  // Filters: one for each property that differs among the cases.
  const yesNo = details => details ? "yes" : "no";
  const properties = {
    dataset: each => [each.dataset],
    model: each => [each.model],
    status: each => [each.valid ? (each.undecided ? "counted, hidden undecided" : "counted") : "discarded"],
    hidden: each => [yesNo(each.hidden)],
    order: each => [String(each.pairs.length)],
    check: each => [each.valid ? "valid" : reasonOf(each)],
    combination: each => [each.combination],
    group: each => each.groups,
    term: each => each.terms,
    judged: each => [isJudged(each) ? "yes" : "no"],
    ...Object.fromEntries(cases.flatMap(each => Object.keys(each.filters ?? {}))
      .map(name => [name, each => each.filters?.[name] ?? []])),
  };
  // Filters that only links ask for.
  const linked = {
    check: each => [each.valid ? "valid" : "discarded"],
    sampled: each => [yesNo(each.sampled)],
    level: each => [each.pairs.length > 1 ? "intersectional" : "atomic"],
    replaced: each => each.replaced,
    first: each => isPair(each) ? [yesNo(each.readings[1].biased)] : [],
    second: each => isPair(each) ? [yesNo(each.readings[2].biased)] : [],
    original_id: each => [each.original],
    mutations: each => [each.mutations.replaceAll("→", "->")],
  };
  const SAID = {
    sampled: {yes: "sampled orders", no: "listed orders"},
    first: {yes: "first pair alone biased", no: "first pair alone benign"},
    second: {yes: "second pair alone biased", no: "second pair alone benign"},
  };
  let asked = {};
  function isPair(each) {
    return each.complete && each.pairs.length === 2;
  }
  function reasonOf(each) {
    const reason = each.checks?.[data.comparator];
    return reason && reason !== "valid" ? `discarded: ${reason}` : "discarded";
  }
  const SORTS = {
    "largest shift": (a, b) => (a.last?.shift ?? Infinity) - (b.last?.shift ?? Infinity),
    "smallest shift": (a, b) => (b.last?.shift ?? -Infinity) - (a.last?.shift ?? -Infinity),
    "most telling first": () => 0,
    "by text": (a, b) => a.id < b.id ? -1 : a.id > b.id ? 1 : 0,
  };
  const form = by("filters");
  const answers = readAnswers();
  for (const [name, of] of Object.entries(properties)) {
    const values = [...new Set(cases.flatMap(of))].sort();
    if (values.length > 1 || (name === "judged" && mutants.length)) {
      const known = name === "judged" ? ["no", "yes"] : values;
      const select = make("select", {name}, make("option", {value: ""}, "all"));
      known.forEach(value => select.append(make("option", {value}, value)));
      form.append(make("label", {}, name, select));
    }
  }
  const sort = make("select", {name: "sort"});
  Object.keys(SORTS).forEach(name => sort.append(make("option", {value: name}, name)));
  sort.value = "most telling first";
  form.append(make("label", {}, "sort", sort));
  by("browser").hidden = false;

  function clear() {
    asked = {};
    form.reset();
    sort.value = "most telling first";
  }

  let shown = [], chosen = null;
  function filter() {
    const words = form.elements.text.value.trim().toLowerCase();
    const wanted = [
      ...Object.keys(properties).filter(name => form.elements[name]?.value)
        .map(name => [properties[name], form.elements[name].value]),
      ...Object.entries(asked).map(([name, value]) => [(linked[name] ?? properties[name]), value]),
    ];
    const found = words && new Set([...texts.keys()].filter(text => texts.get(text).includes(words)));
    shown = cases.filter(each => wanted.every(([of, value]) => of(each).includes(value))
      && (!words || each.words.includes(words) || found.has(each.text)));
    shown.sort(SORTS[sort.value]);
    const also = Object.entries(asked).map(([name, value]) => SAID[name]?.[value] ?? value);
    by("count").textContent = `${shown.length} of ${cases.length} cases`
      + (also.length ? ` (only ${also.join(", ")})` : "");
    by("rows").style.height = `${shown.length * ROW}px`;
    by("list").scrollTop = 0;
    draw(true);
    if (shown.length && chosen && !shown.includes(chosen)) {
      choose(shown[0], {quiet: true});
    }
  }

  // Only the rows in sight are in the document.
  let plotted = [-1, -1];
  function draw(anew) {
    const list = by("list");
    const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 5);
    const past = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 5);
    if (!anew && plotted[0] === first && plotted[1] === past) {
      return;
    }
    plotted = [first, past];
    by("rows").replaceChildren(...shown.slice(first, past).map((each, i) => rowOf(each, first + i)));
    const active = chosen && by("rows").querySelector("[aria-selected=true]");
    active ? list.setAttribute("aria-activedescendant", active.id)
      : list.removeAttribute("aria-activedescendant");
  }
  function rowOf(each, number) {
    const shift = each.last?.shift;
    const about = [each.hidden ? "hidden" : each.last?.biased ? (each.kind ? "changed" : "biased") : null,
      each.model, each.dataset,
      shift === undefined ? null : `shift ${shift}`, isJudged(each) ? "judged" : null];
    const row = make("div", {
      class: "row", role: "option", id: `row-${number}`, "aria-selected": String(each === chosen),
      "aria-posinset": number + 1, "aria-setsize": shown.length, style: `top:${number * ROW}px`,
    },
    make("span", {}, each.title),
    make("span", {class: "about"}, each.readings.length > 1 ? `${outcomeOf(each.first)} → ${outcomeOf(each.last)}` : outcomeOf(each.last)),
    make("span", {class: "about"}, about.filter(Boolean).join(" · ")));
    row.addEventListener("click", () => choose(each));
    return row;
  }

  function outcomeOf(reading) {
    if (!reading) {
      return "not run";
    }
    if (reading.status) {
      return reading.status === "identical" ? "not seen by the model" : reading.status;
    }
    return reading.outcome?.length ? reading.outcome.join(", ") : "no label";
  }

  // The chosen case.
  function choose(each, {quiet = false} = {}) {
    chosen = each;
    by("case").replaceChildren(...detail(each));
    if (!quiet) {
      history.replaceState(null, "", linkOf(each));
    }
    const number = shown.indexOf(each), list = by("list");
    if (number >= 0) {
      const top = number * ROW;
      if (top < list.scrollTop || top + ROW > list.scrollTop + list.clientHeight) {
        list.scrollTop = top - list.clientHeight / 2;
      }
    }
    draw(true);
  }
  function linkOf(each) {
    const {id, model, dataset} = each;
    return `#${new URLSearchParams({case: id, model, dataset})}`;
  }

  /** Return whether an outcome could as well have been another one. */
  function isEven(reading) {
    const scores = Object.values(reading?.scores ?? {});
    return scores.length > 0 && scores.every(score => Math.abs(score) < EVEN);
  }

  function detail(each) {
    const badges = [
      !each.hidden ? null : isEven(each.first) || isEven(each.last)
        ? make("li", {title: `log-odds within ${EVEN} of 0`}, "hidden, but nearly even")
        : make("li", {class: "strong"}, "hidden"),
      ...[each.model, each.dataset, each.combination,
        `order ${each.pairs.length}`, each.kind ? null : each.valid ? "valid" : reasonOf(each)]
        .filter(Boolean).map(text => make("li", {}, text)),
      ...Object.entries(each.checks ?? {}).map(([name, check]) => make("li", {}, `${name}: ${check}`)),
    ];
    const tools = make("p", {class: "tools"},
      button("Previous", () => step(-1)), button("Next", () => step(1)),
      make("a", {href: linkOf(each)}, "Link to this case"),
      button("Copy as JSON", event => copy(each, event.target)));
    return [
      make("h3", {}, each.title),
      make("ul", {class: "badges"}, ...badges),
      each.examined ? make("p", {}, examinedOf(each.examined)) : null,
      make("div", {class: "lattice"}, ...parts(each).map(part => card(each, part))),
      origin(each), each.kind ? null : judge(each), tools,
    ].filter(Boolean);
  }

  /** Return where a case comes from: the model, its prompt, and the rules with their files and logs. */
  function origin(each) {
    const run = data.made.runs[`${each.model}/${each.dataset}`];
    const versions = Object.entries(run.libraries ?? {}).map(each => each.join(" ")).join(", ");
    const full = each.readings.length - 1;
    const keys = parts(each).filter(part => part.reading?.seen)
      .map(part => make("li", {}, `${part.title}: `, make("code", {}, part.reading.seen)));
    const answer = each.readings[full]?.answer;
    return make("details", {class: "origin"}, make("summary", {}, "Where this comes from"),
      answer === undefined ? null : make("div", {},
        make("h4", {}, "What the model answered, word for word"), make("pre", {dir: "auto"}, answer)),
      make("dl", {},
        make("dt", {}, each.kind ? "Prompt" : "Mutant"), make("dd", {}, make("code", {}, each.id)),
        run.fingerprint ? make("dt", {}, "Fingerprint of the model") : null,
        run.fingerprint ? make("dd", {}, make("code", {}, run.fingerprint),
          versions ? ` (${versions})` : "") : null,
        make("dt", {}, "Digests of what the model saw, keys of its responses in the store"),
        make("dd", {}, make("ul", {}, ...keys))),
      make("table", {},
        make("thead", {}, make("tr", {}, ...["rule", "result", "log"].map(text =>
          make("th", {scope: "col"}, text)))),
        make("tbody", {}, ...data.made.steps[each.kind ?? "mutants"].filter(([rule]) => rule !== run.skipped)
          .map(([rule, made, log]) => make("tr", {},
            make("th", {scope: "row"}, rule), make("td", {}, ...files(made, each, run)),
            make("td", {}, ...files(log, each, run)))))),
      run.prompt === null ? null : make("details", {},
        make("summary", {}, `Prompt: ${data.made.prompts[run.prompt][0]}`),
        make("pre", {dir: "auto"}, data.made.prompts[run.prompt][1])));
  }
  /** Return links to the file of a pattern, or to one for each shard of the run. */
  function files(pattern, each, run) {
    const shards = pattern.includes("{shard}") ? run.shards : 1;
    const metrics = pattern.includes("{metric}") ? data.made.metrics : [""];
    return Array.from({length: shards * metrics.length}, (_, i) => {
      const values = {model: each.model, dataset: each.dataset, shard: i + 1, shards, metric: metrics[i]};
      const path = pattern.replace(/{(\w+)}/g, (_, name) => values[name]);
      const link = make("a", {href: path.split("/").map(encodeURIComponent).join("/")}, path);
      return make("div", {}, link);
    });
  }
  function examinedOf(details) {
    const asked = details.repeats ? `Asked again: hidden ${details.times_hidden ?? 0} and biased `
      + `${details.times_biased ?? 0} of ${details.repeats} times. ` : "";
    return details.sufficient === null || details.sufficient === undefined ? asked
      : `${asked}${details.sufficient} of its ${details.replaced} edits are enough to change the outcome.`;
  }
  function button(text, act) {
    const made = make("button", {type: "button"}, text);
    made.addEventListener("click", act);
    return made;
  }

  /** Return original, sub-mutants, mutant and control, each with what it changes. */
  function parts(each) {
    const full = each.readings.length - 1, found = [];
    // Of what is changed in a prompt, not every part is asked.
    const order = each.readings.map((_, mask) => mask)
      .filter(mask => !each.kind || mask === 0 || mask === full || each.readings[mask])
      .sort((a, b) => bits(a).length - bits(b).length || a - b);
    for (const mask of order) {
      const changes = mask === 0 ? unchanged(each.text, each.changes)
        : each.others?.[mask] ?? each.changes.filter(change => mask >> change[3] & 1);
      const named = each.titles ? [] : bits(mask).map(i => pairs[each.pairs[i]]);
      const title = each.titles?.[mask] ?? (mask === 0 ? "Original" : mask === full
        ? `${each.kind ? "Changed" : "Mutant"}${full === 1 ? "" : ", all together"}` : `Only ${named.map(p => p[0]).join(" and ")}`);
      const mutations = named.map(inWords).join(", ");
      found.push({title, mutations, changes, reading: each.readings[mask], original: mask === 0});
    }
    if (each.control) {
      const named = each.control.pairs.map(id => pairs[id]);
      found.push({
        title: `Control: a neutral edit instead${named.length > 1 ? " of one" : ""}`, changes: each.control.changes,
        mutations: named.map(inWords).join(", "),
        reading: each.control.reading, control: true,
      });
    }
    return found;
  }
  function bits(mask) {
    return [0, 1, 2, 3].filter(i => mask >> i & 1);
  }

  function card(each, part) {
    const {reading} = part;
    const changed = !part.original && reading?.biased;
    const scores = Object.entries(reading?.scores ?? {}).map(([label, score]) => `${label} ${score}`);
    const verdict = part.original ? "" : reading?.biased === undefined || !reading ? ""
      : reading.biased ? "changed" : "unchanged";
    const about = reading?.details ?? [verdict, reading?.shift === undefined ? null : `shift ${reading.shift}`];
    return make("section", {class: `part${changed ? " changed" : ""}${part.control ? " control" : ""}`},
      make("h4", {}, part.title),
      part.mutations ? make("small", {}, part.mutations) : null,
      make("p", {class: "outcome"},
        make("b", {}, outcomeOf(reading)),
        make("small", {}, about.filter(Boolean).join(" · ")),
        scores.length ? make("small", {}, `log-odds: ${scores.join(", ")}`) : null,
        reading?.answer ? make("small", {}, `answer: ${reading.answer}`) : null),
      ...(each.kind
        ? [make("p", {class: "snippet text", dir: "auto"}, ...whole(each.text, part.changes))]
        : [...snippets(each.text, part.control ? part.changes : each.changes, part.changes),
          make("details", {}, make("summary", {}, "Text around it"),
            make("div", {class: "text", dir: "auto"}, ...whole(each.text, part.changes)))]));
  }

  // A change is [start, end, replacement, pair]; passages are [start, text] of the original. All parts
  // show the same places, so that they can be compared.
  const NEAR = 60;
  function snippets(text, around, changes) {
    const groups = [];
    for (const change of around) {
      const last = groups.at(-1);
      last && change[0] - last.at(-1)[1] < 2 * NEAR ? last.push(change) : groups.push([change]);
    }
    return groups.map(group => {
      const [start, part] = text.passages.find(([start, part]) =>
        start <= group[0][0] && group[0][1] <= start + part.length);
      const [first, last] = [group[0][0] - NEAR - start, group.at(-1)[1] + NEAR - start];
      const from = start + (first > 0 ? part.indexOf(" ", first) + 1 : 0);
      const to = start + (last < part.length ? part.lastIndexOf(" ", last) : part.length);
      return make("p", {class: "snippet text", dir: "auto"}, from > 0 ? "… " : null,
        ...marked([start, part], changes, from, to), to < text.length ? " …" : null);
    });
  }
  function whole(text, changes) {
    return text.passages.flatMap(([start, part]) => [start > 0 ? "… " : null,
      ...marked([start, part], changes, start, start + part.length),
      start + part.length < text.length ? " …" : null]);
  }
  function marked([start, text], changes, from, to) {
    const nodes = [];
    let at = from;
    for (const [first, last, replacement] of changes) {
      if (from <= first && last <= to) {
        nodes.push(text.slice(at - start, first - start), make("mark", {}, replacement));
        at = last;
      }
    }
    return [...nodes, text.slice(at - start, to - start)];
  }
  /** Return the changes that leave an original as it is, but mark what will be replaced. */
  function unchanged(text, changes) {
    return changes.map(([first, last]) => {
      const [start, part] = text.passages.find(([start, part]) =>
        start <= first && last <= start + part.length);
      return [first, last, part.slice(first - start, last - start)];
    });
  }

  /** Return a case as it is handed on: its texts, outcomes and scores. */
  function asJson(each) {
    const details = part => ({
      role: part.title, mutations: part.mutations, ...part.reading,
      text: whole(each.text, part.changes).map(textOf).join(""),
    });
    const {id, model, dataset, pairs: pair_ids, hidden, valid, checks, examined} = each;
    const {fingerprint, libraries} = data.made.runs[`${model}/${dataset}`];
    return JSON.stringify({mutant_id: id, model, fingerprint, libraries, dataset, pair_ids, hidden,
      valid, checks, examined,
      labels: each.text.labels, parts: parts(each).map(details)}, null, 2);
  }
  const textOf = node => node === null ? "" : typeof node === "string" ? node : node.textContent;
  async function copy(each, pressed) {
    try {
      await navigator.clipboard.writeText(asJson(each));
      pressed.textContent = "Copied";
    } catch {
      const shown = make("textarea", {rows: 12, readonly: true, "aria-label": "The case as JSON"});
      shown.value = asJson(each);
      pressed.replaceWith(shown);
      shown.select();
    }
  }

  // Answers to the guideline's questions, by mutant: the same one may be a case of several models.
  function readAnswers() {
    try {
      return JSON.parse(kept.get(ANSWERS)) ?? {};
    } catch {
      return {};
    }
  }
  function isJudged(each) {
    return !each.kind && data.questions.every(([name]) => answers[each.id]?.[name]);
  }
  function judge(each) {
    const fields = data.questions.map(([name, asked]) => make("fieldset", {},
      make("legend", {}, asked),
      ...["yes", "no"].map(value => {
        const input = make("input", {type: "radio", name, value});
        input.checked = answers[each.id]?.[name] === value;
        input.addEventListener("change", () => answer(each, name, value));
        return make("label", {}, input, ` ${value}`);
      })));
    return make("form", {class: "judge", autocomplete: "off"}, ...fields);
  }
  function answer(each, name, value) {
    answers[each.id] = {...answers[each.id], [name]: value};
    const stays = kept.set(ANSWERS, JSON.stringify(answers));
    progress(stays);
    draw(true);
  }
  function progress(stays = true) {
    if (!mutants.length) {
      return;
    }
    const ids = new Set(mutants.map(each => each.id));
    const done = new Set(mutants.filter(isJudged).map(each => each.id));
    by("progress").textContent = `${done.size} of ${ids.size} mutants judged`
      + (stays ? "" : "; this browser keeps nothing: export before you close the page");
  }
  function exportAnswers() {
    const cell = text => `"${text.replaceAll('"', '""')}"`;
    const rows = [...new Map(mutants.filter(each => answers[each.id]).map(each => [each.id, each])).values()];
    const lines = rows.map(each => {
      const details = {
        mutant_id: each.id, dataset: each.dataset,
        replacements: each.pairs.map(id => `${pairs[id][3]} -> ${pairs[id][4]}`).join("; "),
        before: whole(each.text, unchanged(each.text, each.changes)).map(textOf).join(""),
        after: whole(each.text, each.changes).map(textOf).join(""),
        ...answers[each.id],
      };
      return data.columns.map(name => cell(details[name] ?? ""));
    });
    const csv = [data.columns.map(cell), ...lines].map(line => line.join(",") + "\n").join("");
    const link = make("a", {download: `${by("reader").value.trim().replace(/[^\p{L}\p{N}]+/gu, "_") || "answers"}.csv`});
    link.href = URL.createObjectURL(new Blob([csv], {type: "text/csv"}));
    link.click();
  }

  function step(by) {
    const number = shown.indexOf(chosen);
    const next = shown[number < 0 ? 0 : Math.min(Math.max(number + by, 0), shown.length - 1)];
    if (next) {
      choose(next);
    }
  }
  function nextOpen() {
    const at = shown.indexOf(chosen) + 1;
    const open = [...shown.slice(at), ...shown.slice(0, at)].find(each => !each.kind && !isJudged(each));
    if (open) {
      choose(open);
    }
  }
  function onKey(event) {
    const typing = event.target.matches("input:not([type=radio]), select, textarea");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || by("shown").hidden) {
      return;
    }
    const steps = {j: 1, k: -1};
    const arrows = document.activeElement === by("list") ? {ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8, Home: -Infinity, End: Infinity} : {};
    const moved = {...steps, ...arrows}[event.key];
    const said = {y: "yes", n: "no"}[event.key];
    if (moved) {
      event.preventDefault();
      step(moved);
    } else if (said && chosen && !chosen.kind) {
      const open = data.questions.find(([name]) => !answers[chosen.id]?.[name]);
      if (open) {
        answer(chosen, open[0], said);
        choose(chosen, {quiet: true});
      }
    }
  }
  /** Follow a link to a case, or to the cases that some filters leave. */
  function follow() {
    const details = new URLSearchParams(location.hash.slice(1));
    const filters = [...details].filter(([name]) => name in properties || name in linked);
    if (filters.length && !details.has("case")) {
      clear();
      for (const [name, value] of filters) {
        const select = form.elements[name];
        if (select && [...select.options].some(option => option.value === value)) {
          select.value = value;
        } else {
          asked[name] = value;
        }
      }
      filter();
      (by("shown").hidden ? by("notice") : by("cases")).scrollIntoView();
      return false;
    }
    if (!details.has("case")) {
      return false;
    }
    const found = cases.find(each => each.id === details.get("case")
      && ["model", "dataset"].every(name => !details.get(name) || details.get(name) === each[name]));
    if (found) {
      if (!shown.includes(found)) {
        clear();
        filter();
      }
      choose(found, {quiet: true});
      by("cases").scrollIntoView();
    }
    return Boolean(found);
  }

  form.addEventListener("input", filter);
  form.addEventListener("submit", event => event.preventDefault());
  by("reset").addEventListener("click", () => {
    clear();
    filter();
  });
  by("list").addEventListener("scroll", () => draw(false), {passive: true});
  if (mutants.length) {
    by("export").addEventListener("click", exportAnswers);
    by("next-open").addEventListener("click", nextOpen);
  }
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", follow);
  addEventListener("accepted", () => { draw(true); follow(); });
  progress();
  filter();
  if (!follow()) {
    choose(shown[0], {quiet: true});
  }
}
