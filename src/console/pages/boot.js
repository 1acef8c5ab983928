// Runs before the page's own script has loaded, and asks meanwhile who uses this browser. The kiosk asks in its own way.
if (location.pathname !== '/kiosk') {
  globalThis.sessionAhead = fetch('/api/v2/session', { cache: 'no-store' })
  globalThis.sessionAhead.catch(() => {})
}

const kept = 'nightporter.reloads'

/**
 * Loads the page anew, if the box answers with it and `may` still agrees then. The second time waits 20 s, and each further one
 * twice as long, ten minutes at most; after an hour without one it begins again.
 */
globalThis.loadAnew = async (may = () => true) => {
  const [count, at] = JSON.parse(sessionStorage.getItem(kept) ?? '[0, 0]')
  const since = Math.abs(Date.now() - at)
  if (count > 0 && since < Math.min(10_000 * 2 ** count, 600_000)) return
  const answer = await fetch(location.pathname, { cache: 'no-store', signal: AbortSignal.timeout(5_000) })
  if (!(await answer.text()).includes('<div id="page">') || !may()) return
  sessionStorage.setItem(kept, JSON.stringify([since < 3_600_000 ? count + 1 : 1, Date.now()]))
  location.reload()
}

// A tab that was open during an update may ask for files that are gone, and one answer can be lost.
setInterval(() => {
  if (document.getElementById('page').childElementCount === 0) globalThis.loadAnew().catch(() => {})
}, 10_000)
