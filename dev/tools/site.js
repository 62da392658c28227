// All the script the site needs: the list of headings beside a page.
document.addEventListener("DOMContentLoaded", function () {
  const toc = document.getElementById("toc");
  if (!toc) return;
  const list = document.createElement("ul");
  list.className = "nav flex-column";
  document.querySelectorAll("main h2, main h3").forEach(function (heading) {
    const place = heading.id ? heading : heading.closest("[id]");
    if (!place || place.id === "main") return;
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.className = "nav-link" + (heading.tagName === "H3" ? " ms-3" : "");
    link.href = "#" + place.id;
    link.textContent = heading.textContent.trim();
    item.append(link);
    list.append(item);
  });
  toc.append(list);
});
