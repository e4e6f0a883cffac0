// How an exported page looks: for light and dark, for a telephone and for paper.

export const STYLE = `
:root { color-scheme: light dark; --back: #fff; --text: #1f2328; --dim: #59636e; --line: #d9dee3; --card: #f6f8fa;
  --you: #0b5cad; --you-back: #eef5fc; --bad: #b42318; --good: #1a7f37; --minus: #ffebe9; --plus: #dafbe1; }
@media (prefers-color-scheme: dark) { :root { --back: #14171b; --text: #e3e7ec; --dim: #98a2ad; --line: #343b43;
  --card: #1d2228; --you: #7cb7f2; --you-back: #17232f; --bad: #ff8f87; --good: #6cce82; --minus: #452524;
  --plus: #1c3a25; } }
* { box-sizing: border-box; }
body { background: var(--back); color: var(--text); font: 16px/1.6 system-ui, sans-serif; max-width: 54rem;
  margin: 0 auto; padding: 2rem 1.25rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem; }
h2, h3, h4, h5, h6 { font-size: 1rem; margin: 1.4rem 0 .4rem; } h3 { font-size: 1.2rem; } h4 { font-size: 1.08rem; }
a { color: var(--you); }
p, ul, ol, blockquote, table { margin: .6rem 0; } p, li, td { white-space: pre-wrap; }
ul, ol { padding-left: 1.6rem; white-space: normal; } li > ul, li > ol { margin: 0; }
blockquote { border-left: 3px solid var(--line); color: var(--dim); padding-left: .9rem; margin-left: 0; }
hr { border: 0; border-top: 1px solid var(--line); margin: 1.4rem 0; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .25rem .7rem; text-align: left; } th { background: var(--card); }
.right { text-align: right; } .middle { text-align: center; }
code { background: var(--card); border-radius: 4px; font: .88em ui-monospace, monospace; padding: .1em .3em; }
pre { background: var(--card); border-radius: 6px; font: .84rem/1.5 ui-monospace, monospace; margin: .6rem 0;
  max-height: 36rem; overflow: auto; padding: .7rem .9rem; tab-size: 4; white-space: pre-wrap; }
img { border-radius: 6px; max-width: 100%; }
.facts { border: 1px solid var(--line); border-radius: 8px; display: grid; font-size: .92rem; gap: .15rem 1.2rem;
  grid-template-columns: max-content 1fr; margin: 0 0 2rem; padding: .8rem 1rem; }
dt, time, .note { color: var(--dim); font-weight: normal; } dd { margin: 0; }
section { margin-top: 2.2rem; }
.you { background: var(--you-back); border-left: 3px solid var(--you); border-radius: 0 8px 8px 0;
  padding: .6rem 1rem .3rem; margin-bottom: 1rem; }
.you h2 { color: var(--you); display: flex; justify-content: space-between; margin: 0; }
.note { font-size: .88rem; margin: .15rem 0; }
.ending { border-left: 3px solid var(--bad); padding-left: .8rem; }
details { border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0; }
details > :not(summary), details > .note { margin-left: .9rem; margin-right: .9rem; } details > :last-child { margin-bottom: .8rem; }
summary { align-items: baseline; cursor: pointer; display: flex; gap: .6rem; padding: .4rem .9rem; }
summary::before { color: var(--dim); content: "▸"; } details[open] > summary::before { content: "▾"; }
summary > :nth-child(2) { flex: 1; } summary > code { max-width: 40%; } summary:hover { background: var(--card); border-radius: 8px; }
.done .mark { color: var(--good); } .failed .mark { color: var(--bad); } .thought summary { color: var(--dim); }
.plan { border: 1px solid var(--line); border-radius: 8px; list-style: none; padding: .5rem .9rem; }
.completed { color: var(--dim); } .in_progress { font-weight: 600; }
.diff { padding: 0; } .diff > * { display: block; min-height: 1.5em; padding: 0 .9rem; text-decoration: none; }
.diff del { background: var(--minus); } .diff ins { background: var(--plus); } .diff i { color: var(--dim); }
footer { border-top: 1px solid var(--line); color: var(--dim); font-size: .85rem; margin-top: 3rem; padding-top: .8rem; }
@media (max-width: 36rem) { body { padding: 1.2rem .8rem 3rem; } .facts { gap: .15rem .7rem; padding: .6rem .7rem; } }
@media print { body { max-width: none; padding: 0; } pre { max-height: none; } details, .you { break-inside: avoid; } }
`;
