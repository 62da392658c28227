/* What the web site does in the browser: search, the table of contents of a page, buttons that copy code. It takes the
   place of pkgdown's own script, whose libraries come from other servers, so that the site also works without a network
   and when its files are opened from a disk. The index is search.js, written by dev/tools/site.R. */
document.addEventListener("DOMContentLoaded", function () {
  "use strict";
  const MOST_RESULTS = 20;
  const MOST_OF_A_PAGE = 3;
  const SNIPPET = 120;

  function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  /* --- Search --------------------------------------------------------------------------------------------------- */

  const input = document.getElementById("search-input");
  // "../search.json" on a page in a folder
  const root = input ? input.dataset.searchIndex.replace(/search\.json$/, "") : "";
  let loading = null;

  // A script and not fetch(), which browsers refuse for files on a disk.
  function load_index() {
    loading = loading || new Promise((resolve, reject) => {
      const script = element("script", { src: root + "search.js", onerror: reject });
      script.onload = () => resolve(window.searchIndex.map(with_text));
      document.head.append(script);
    });
    return loading;
  }

  function with_text(section) {
    const lower = (text) => text.toLowerCase();
    return Object.assign({}, section, {
      in_title: lower(section.title), in_heading: lower(section.heading), in_text: lower(section.text)
    });
  }

  function words_of(query) {
    return query.toLowerCase().replace(/λ/g, "lambda").replace(/η/g, "eta").replace(/α/g, "alpha")
      .split(/\s+/).filter((word) => word.length > 1);
  }

  // 0 if a word is missing. Titles count most; then headings; then text, more if it has the word often.
  function score(section, words) {
    let total = 0;
    for (const word of words) {
      const often = section.in_text.split(word).length - 1;
      const found = 10 * section.in_title.includes(word) + 6 * section.in_heading.includes(word) + Math.min(often, 4);
      if (found === 0) return 0;
      total += found;
    }
    // The glossary first; help and articles before the notes for developers and the changelog.
    const bonus = /sbrl-glossary/.test(section.path) ? 12 : /^(reference|articles)\//.test(section.path) ? 3 : 0;
    return total + bonus;
  }

  function find(index, words) {
    const scored = index.map((section) => ({ section: section, score: score(section, words) }));
    const best = scored.filter((one) => one.score > 0).sort((a, b) => b.score - a.score).map((one) => one.section);
    const seen = {};
    return best.filter((section) => {
      seen[section.path] = (seen[section.path] || 0) + 1;
      return seen[section.path] <= MOST_OF_A_PAGE;
    }).slice(0, MOST_RESULTS);
  }

  function snippet(section, words) {
    const found = section.in_text.indexOf(words[0]) - SNIPPET / 3;
    const from = found > 0 ? section.text.indexOf(" ", found) + 1 : 0;
    const to = from + SNIPPET;
    return (from > 0 ? "… " : "") + section.text.slice(from, to).trim() + (to < section.text.length ? " …" : "");
  }

  function result(section, words) {
    const title = section.heading ? section.title + " › " + section.heading : section.title;
    const address = root + section.path + (section.id ? "#" + section.id : "");
    return element("a", { className: "search-result", href: address },
      element("strong", { textContent: title }), element("small", { textContent: snippet(section, words) }));
  }

  function start_search() {
    const results = element("div", { id: "search-results", hidden: true });
    results.setAttribute("aria-live", "polite");
    input.setAttribute("aria-label", "Search the site");
    input.form.append(results);
    const links = () => Array.from(results.querySelectorAll("a"));

    async function show() {
      const words = words_of(input.value);
      if (words.length === 0) {
        results.hidden = true;
        return;
      }
      let shown;
      try {
        shown = find(await load_index(), words).map((section) => result(section, words));
      } catch (error) {
        shown = [element("p", { textContent: "The search index could not be loaded." })];
      }
      if (shown.length === 0) shown = [element("p", { textContent: "No page has all of these words." })];
      results.replaceChildren(...shown);
      results.hidden = false;
    }

    // Arrow keys go through the results; Escape closes them.
    function move(event) {
      const all = links();
      const at = all.indexOf(document.activeElement);
      if (event.key === "Escape") {
        results.hidden = true;
        input.focus();
      } else if (event.key === "ArrowDown" && at + 1 < all.length) {
        all[at + 1].focus();
      } else if (event.key === "ArrowUp" && at >= 0) {
        (all[at - 1] || input).focus();
      } else {
        return;
      }
      event.preventDefault();
    }

    input.addEventListener("focus", () => load_index().catch(() => {}));
    input.addEventListener("input", show);
    input.form.addEventListener("keydown", move);
    input.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!results.hidden && links().length > 0) links()[0].click();
    });
    document.addEventListener("click", (event) => {
      if (!input.form.contains(event.target)) results.hidden = true;
    });
  }

  /* --- On this page ----------------------------------------------------------------------------------------------- */

  // pkgdown gives a section's id to the heading or to the element around it.
  function id_of(heading) {
    const section = heading.closest("[id]");
    return section && section.id !== "main" ? section.id : null;
  }

  function write_contents(nav) {
    const list = element("ul", { className: "nav flex-column" });
    for (const heading of document.querySelectorAll("main h2, main h3")) {
      const id = id_of(heading);
      if (!id || heading.hasAttribute("data-toc-skip")) continue;
      const copy = heading.cloneNode(true);
      copy.querySelectorAll("a.anchor").forEach((anchor) => anchor.remove());
      const link = element("a", { className: "nav-link", href: "#" + id, textContent: copy.textContent.trim() });
      if (heading.tagName === "H3") link.classList.add("ms-3");
      list.append(element("li", {}, link));
    }
    if (list.children.length > 0) nav.append(list);
    else nav.hidden = true;
  }

  /* --- Copy code -------------------------------------------------------------------------------------------------- */

  function add_copy_button(block) {
    const button = element("button", { type: "button", className: "btn-copy-ex", textContent: "Copy" });
    button.addEventListener("click", async () => {
      const code = block.querySelector("pre").textContent.replace(/^#>.*\n?/gm, "");
      await navigator.clipboard.writeText(code);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    block.classList.add("hasCopyButton");
    block.prepend(button);
  }

  if (input) start_search();
  const nav = document.getElementById("toc");
  if (nav) write_contents(nav);
  if (navigator.clipboard) {
    document.querySelectorAll("div.sourceCode").forEach((block) => {
      if (block.querySelector("pre")) add_copy_button(block);
    });
  }
});
