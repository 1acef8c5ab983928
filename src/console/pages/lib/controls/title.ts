import { useLayoutEffect } from 'preact/hooks'

/** The title of the page before its script has drawn it. */
const first = document.title
let place = () => first

/** Sets what returns the name of the place of all pages in this tab, such as `Front desk`, in the language of the page. */
export function setTitlePlace(name: () => string): void {
  place = name
}

/**
 * Names the tab of the browser by its page and its place, such as `Today - Front desk`, while the component is shown. Null leaves
 * the name to a part of the page.
 */
export function useTitle(...pages: (string | null | undefined)[]): void {
  const title = pages.includes(null) ? null : [...pages.filter(Boolean), place()].join(' - ')
  useLayoutEffect(() => {
    if (title === null) return
    const before = document.title
    document.title = title
    return () => {
      // A part of the next page may have named it already.
      if (document.title === title) document.title = before
    }
  }, [title])
}
