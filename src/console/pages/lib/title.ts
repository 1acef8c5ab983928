import { useLayoutEffect } from 'preact/hooks'

/** The title of the page before a person signs in. */
const first = document.title

/** Names the tab of the browser by its page and its place, such as `Today - Front desk`, while the component is shown. */
export function useTitle(page: string | undefined, where: string): void {
  useLayoutEffect(() => {
    document.title = page === undefined ? where : `${page} - ${where}`
    return () => {
      document.title = first
    }
  }, [page, where])
}
