// Runs before the page's own script has loaded, and asks meanwhile who uses this browser. The kiosk asks in its own way.
if (location.pathname !== '/kiosk') globalThis.sessionAhead = fetch('/api/v2/session', { cache: 'no-store' })

// A tab that was open during an update may ask for files that are gone: the page is then loaded anew, once. The page's script
// removes the mark when it has started.
setTimeout(() => {
  if (document.getElementById('page').childElementCount > 0) return
  if (sessionStorage.getItem('nightporter.reloaded')) return
  sessionStorage.setItem('nightporter.reloaded', '1')
  location.reload()
}, 10_000)
