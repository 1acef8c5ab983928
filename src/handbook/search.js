// Searches all pages of the handbook in the browser: it reads the pages that the index links to with the first letter that is typed.
const most = 30
const around = 80
const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const form = document.getElementById('search')
const found = document.getElementById('found')
const field = form.querySelector('input')
const paths = [...document.querySelectorAll('main li > a[href^="/handbook/"]')].map((link) => link.pathname)
let reading = null

form.hidden = false
form.addEventListener('submit', (event) => event.preventDefault())
field.addEventListener('input', () => void show())

/** The parts of a page: each heading with its anchor and the text up to the next one. */
async function partsOf(path) {
  const answer = await fetch(path)
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const title = page.querySelector('h1')?.textContent ?? path
  const parts = []
  for (const each of page.querySelectorAll('main > *')) {
    if (/^H[1-3]$/.test(each.tagName))
      parts.push({ path, title, id: each.id, heading: each.textContent, text: '' })
    else if (parts.length > 0) parts.at(-1).text += ` ${each.textContent.replace(/\s+/g, ' ').trim()}`
  }
  return parts.map((part) => ({ ...part, words: plain(`${title} ${part.heading} ${part.text}`) }))
}

/** All words are in a part. One whose heading has them all comes first, then one whose title does. */
function bestOf(parts, words) {
  const has = (text) => words.every((word) => plain(text).includes(word))
  const rank = (part) => (has(part.heading) ? 0 : has(`${part.title} ${part.heading}`) ? 1 : 2)
  return parts
    .filter((part) => words.every((word) => part.words.includes(word)))
    .sort((one, other) => rank(one) - rank(other))
}

async function show() {
  const asked = field.value
  const words = plain(asked).split(/\s+/).filter(Boolean)
  if (words.length === 0) return found.replaceChildren()
  reading ??= Promise.all([...new Set(paths)].map(partsOf)).then((pages) => pages.flat())
  try {
    const best = bestOf(await reading, words)
    if (field.value !== asked) return
    const rest = best.length - most
    found.replaceChildren(
      ...best.slice(0, most).map((part) => itemOf(part, words)),
      ...(best.length === 0 ? [noteOf('No page has these words.')] : []),
      ...(rest > 0 ? [noteOf(`${rest} more. Add a word.`)] : []),
    )
  } catch {
    // The next letter tries again.
    reading = null
    found.replaceChildren(noteOf('The pages cannot be read now. Check the connection, and type again.'))
  }
}

function itemOf({ path, id, title, heading, text }, words) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = id ? `${path}#${id}` : path
  link.textContent = heading === title ? title : `${title}: ${heading}`
  const at = Math.max(0, plain(text).indexOf(words[0]))
  const from = Math.max(0, at - around)
  const shown = text.slice(from, at + around).trim()
  item.append(
    link,
    document.createElement('br'),
    `${from > 0 ? '… ' : ''}${shown}${at + around < text.length ? ' …' : ''}`,
  )
  return item
}

function noteOf(text) {
  const item = document.createElement('li')
  item.textContent = text
  return item
}
