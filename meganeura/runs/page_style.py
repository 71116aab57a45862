"""How a run's page looks, and the few lines of script that sort a table and enlarge a picture."""

from __future__ import annotations

from ..picture.plot import STYLE as PLOT_STYLE
from ..picture.svg import FONT

_COLOURS = (
    ":root{color-scheme:light dark;--page:#f5f6f8;--card:#ffffff;--ink:#1f2933;--quiet:#5f6b7a;"
    "--line:#e3e7ec;--accent:#2563eb;--bar:#cfdffc;--note:#fff6e0;--note-line:#eed9a4}"
    "@media (prefers-color-scheme:dark){:root{--page:#101418;--card:#1a1f25;--ink:#e4e8ed;"
    "--quiet:#97a3b1;--line:#2a313a;--accent:#7aa5ff;--bar:#28406e;--note:#2e2714;"
    "--note-line:#574a22}}"
)

_BODY = f"""
*{{box-sizing:border-box}}
body{{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 {FONT};
 overflow-wrap:anywhere}}
main{{max-width:1080px;margin:0 auto;padding:28px 18px 60px}}
h1{{font-size:26px;line-height:1.2;margin:0}}
h2{{font-size:16px;margin:0 0 12px}}
p{{margin:0 0 10px}} p:last-child{{margin-bottom:0}}
.quiet{{color:var(--quiet)}} small,.small{{font-size:13px}}
header p{{margin:6px 0 0}}
section{{background:var(--card);border:1px solid var(--line);border-radius:12px;
 padding:18px 20px;margin-top:16px}}
.note{{background:var(--note);border-color:var(--note-line)}}
.note ul{{margin:0;padding-left:20px}}
.numbers{{display:grid;grid-template-columns:repeat(auto-fit,minmax(132px,1fr));gap:10px;
 margin-top:18px}}
.numbers div{{background:var(--card);border:1px solid var(--line);border-radius:12px;
 padding:11px 14px}}
.numbers b{{display:block;font-size:18px;line-height:1.4;font-weight:650;white-space:nowrap;
 font-variant-numeric:tabular-nums}}
.numbers span{{color:var(--quiet);font-size:13px;display:block}}
"""

_TABLES = """
table{border-collapse:collapse;width:100%;font-size:13px;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:5px 10px;border-bottom:1px solid var(--line);vertical-align:top}
tr:last-child td{border-bottom:0}
th{color:var(--quiet);font-weight:600}
td.n,th.n{text-align:right;white-space:nowrap}
.sortable th{position:sticky;top:0;background:var(--card);cursor:pointer;user-select:none}
.sortable th:hover{color:var(--ink)}
.sortable td:first-child{min-width:220px}
.share{display:flex;align-items:center;gap:8px;justify-content:flex-end}
.share i{display:block;width:90px;height:9px;border-radius:5px;overflow:hidden;
 background:var(--line)}
.share i i{background:var(--accent);border-radius:5px}
.settings{columns:320px;column-gap:32px}
.settings div{display:flex;justify-content:space-between;gap:16px;padding:4px 0;font-size:13px;
 border-bottom:1px solid var(--line);break-inside:avoid}
.settings dt{color:var(--quiet)} .settings dd{margin:0;text-align:right}
dl{margin:0}
pre,code{font:12.5px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{margin:0;overflow:auto;max-height:480px;white-space:pre;overflow-wrap:normal}
pre.command{background:var(--page);border-radius:8px;padding:10px 14px;white-space:pre-wrap;
 overflow-wrap:anywhere}
pre.command+p{margin-top:14px}
"""

_PICTURES = """
img{max-width:100%;height:auto}
.latest{display:block;margin:0 auto;max-height:600px;width:auto;image-rendering:pixelated;
 border-radius:6px}
.strip{display:flex;gap:12px;overflow-x:auto;margin-top:14px;padding-bottom:6px}
figure{margin:0} figcaption{color:var(--quiet);font-size:13px;text-align:center;margin-top:4px}
.strip figure{flex:0 0 auto} .strip img{height:130px;width:auto;max-width:none;border-radius:4px}
.bar{display:flex;justify-content:space-between;align-items:baseline;gap:12px}
button{font:inherit;font-size:13px;color:var(--accent);background:none;cursor:pointer;
 border:1px solid var(--line);border-radius:8px;padding:3px 12px}
.scroll{overflow:auto;max-height:560px;border-radius:8px}
.picture .scroll img{display:block;margin:0 auto;border-radius:8px}
.picture p{margin-top:10px}
.natural .scroll img{max-width:none}
.large{position:fixed;inset:0;z-index:9;margin:0;border-radius:0;display:flex;
 flex-direction:column}
.large .scroll{max-height:none;flex:1} .large .scroll img{max-width:none}
.large:not(.natural) .scroll img{min-width:100%}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(420px,1fr));gap:16px;
 margin-top:14px}
@media (max-width:560px){main{padding:16px 10px 40px} section{padding:14px 12px}
 .numbers{grid-template-columns:1fr 1fr;gap:8px}
 .chart{overflow-x:auto} .chart>.plot{min-width:600px} .charts .plot{min-width:0}
 .charts{grid-template-columns:1fr}}
"""

STYLE = _COLOURS + _BODY + _TABLES + _PICTURES + PLOT_STYLE

SCRIPT = """
for (const table of document.querySelectorAll('table.sortable'))
  table.querySelectorAll('th').forEach((head, column) => head.addEventListener('click', () => {
    const rows = [...table.tBodies[0].rows];
    const key = row => row.cells[column].dataset.v;
    const down = head.dataset.down = head.dataset.down === '1' ? '0' : '1';
    const numeric = head.classList.contains('n');
    rows.sort((a, b) => numeric ? key(b) - key(a) : key(a).localeCompare(key(b)));
    if (down === '0') rows.reverse();
    table.tBodies[0].append(...rows);
  }));
const close = () => document.querySelectorAll('.large').forEach(part => toggle(part));
const toggle = part => {
  const large = part.classList.toggle('large');
  part.querySelector('button').textContent = large ? 'Close' : 'Enlarge';
  document.body.style.overflow = large ? 'hidden' : '';
};
for (const button of document.querySelectorAll('.picture button'))
  button.addEventListener('click', () => toggle(button.closest('.picture')));
document.addEventListener('keydown', event => { if (event.key === 'Escape') close(); });
"""
