import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** The rules of WCAG 2.2, levels A and AA. The only one that is new in 2.2 must be switched on. */
const rules = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  rules: { 'target-size': { enabled: true } },
  // It would copy the style sheets into the page, which the policy forbids.
  preload: false,
  // What is right is reported with one part of the page for each rule.
  resultTypes: ['violations'],
}

/** What is wrong on a page, one line each, with the part of the page. */
export type Wrongs = string[]

/** What axe finds. It is loaded once for each document. It runs by the debugger's own way into the page, so that the policy of the page stays in force. */
export async function againstRules(page: Page): Promise<Wrongs> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source)
  const found = (await page.evaluate(`axe.run(document, ${JSON.stringify(rules)})`)) as axe.AxeResults
  assert.ok(
    [...found.passes, ...found.inapplicable, ...found.violations, ...found.incomplete].some(
      ({ id }) => id === 'target-size',
    ),
    'target-size was tried',
  )
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary?.split('\n')[1]}`),
  )
}

/** Text that is cut, a page that is wider than its window, and texts that are missing. */
export function inTexts(page: Page): Promise<Wrongs> {
  return page.evaluate<Wrongs>(`{
    const wrongs = []
    const name = (each) => each.tagName.toLowerCase() + '.' + each.className + ' "' + each.textContent.trim().slice(0, 40) + '"'
    const seen = (each) => each.checkVisibility() && !each.closest('.hidden-text, .skip') && getComputedStyle(each).clipPath !== 'inset(50%)'
    const wide = document.documentElement
    if (wide.scrollWidth > innerWidth + 1) {
      const out = [...document.body.querySelectorAll('*')].filter(
        (each) => seen(each) && each.getBoundingClientRect().right > innerWidth + 1 && !inScroller(each))
      wrongs.push('wider than the window by ' + (wide.scrollWidth - innerWidth) + ': ' + out.slice(0, 3).map(name).join(', '))
    }
    function inScroller(each) {
      for (let outer = each.parentElement; outer && outer !== document.body; outer = outer.parentElement)
        if (['auto', 'scroll'].includes(getComputedStyle(outer).overflowX)) return true
      return false
    }
    for (const each of document.body.querySelectorAll('*')) {
      if (!seen(each) || each.closest('svg')) continue
      const { overflowX, overflowY } = getComputedStyle(each)
      const isCut = (overflow, content, room) => ['hidden', 'clip'].includes(overflow) && content > room + 1
      // A short form whose whole text is its name.
      if (each.ariaLabel && getComputedStyle(each).textOverflow === 'ellipsis') continue
      if (each.textContent.trim() !== '' && (isCut(overflowX, each.scrollWidth, each.clientWidth) || isCut(overflowY, each.scrollHeight, each.clientHeight)))
        wrongs.push('cut: ' + name(each))
      const own = [...each.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '')
      if (!own || inScroller(each) || each.matches('option')) continue
      const frame = each.closest('button, a, .chip, td, th, label')
      const [inner, outer] = [each, frame ?? each].map((one) => one.getBoundingClientRect())
      if (inner.right > outer.right + 2 || inner.bottom > outer.bottom + 2) wrongs.push('leaves its frame: ' + name(each))
      if (each.scrollWidth > each.clientWidth + 2 && each.clientWidth > 0 && getComputedStyle(each).display !== 'inline')
        wrongs.push('flows over: ' + name(each))
    }
    const text = document.body.innerText + [...document.querySelectorAll('[aria-label]')].map((each) => each.ariaLabel).join()
    for (const trace of ['undefined', '[object', 'NaN', 'Invalid Date', '=>']) if (text.includes(trace)) wrongs.push('shows ' + trace)
    wrongs
  }`)
}

/** Goes through the page by Tab: whether each thing that has the focus shows it, and is not covered. */
export async function underFocus(page: Page, most = 40): Promise<Wrongs> {
  const wrongs: Wrongs = []
  const places: string[] = []
  for (let count = 0; count < most; count++) {
    await page.keyboard.press('Tab')
    const [place, ...found] = await page.evaluate<string[]>(`{
      const at = document.activeElement
      const found = [at.tagName + ' ' + at.id + at.className + ' ' + (at.ariaLabel ?? at.textContent).trim().slice(0, 40)]
      // The parts of a date show the focus as the browser does.
      if (at !== document.body && !['date', 'time'].includes(at.type)) {
        const { outlineStyle, outlineWidth } = getComputedStyle(at)
        if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2) found.push('its focus is not seen')
        const { left, top, width, height } = at.getBoundingClientRect()
        const [x, y] = [left + width / 2, top + height / 2]
        if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) found.push('it is outside the window')
        else {
          const over = document.elementFromPoint(x, y)
          if (!over || !(at.contains(over) || over.contains(at) || at.labels?.[0]?.contains(over))) found.push('it is covered by ' + over?.className)
        }
      }
      found
    }`)
    if (place === undefined || place.startsWith('BODY')) break
    places.push(place)
    wrongs.push(...found.map((each) => `${place}: ${each}`))
  }
  assert.ok(places.length > 2, `Tab reaches ${places.length} things`)
  return wrongs
}

/** What still moves for a person who wants nothing to move. */
export function moving(page: Page): Promise<Wrongs> {
  return page.evaluate<Wrongs>(
    `document.getAnimations().filter((each) => each.effect.getComputedTiming().duration > 1).map((each) => 'moves: ' + each.effect.target.className)`,
  )
}
