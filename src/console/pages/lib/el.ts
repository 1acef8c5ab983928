import { type ComponentChildren, h, type JSX } from 'preact'

/** The result of a component. */
export type View = JSX.Element

type Names = keyof JSX.IntrinsicElements
type Elements = {
  [Name in Names]: (attributes: JSX.IntrinsicElements[Name] | null, ...children: ComponentChildren[]) => View
}

/**
 * A function for each HTML and SVG element: `el.button({ type: 'button' }, 'Save')`. Names and attributes are checked by the
 * compiler.
 */
export const el = new Proxy({} as Elements, {
  get:
    (_, name: string) =>
    (attributes: object | null, ...children: ComponentChildren[]) =>
      h(name as 'div', attributes as object, ...children),
})

/** Joins class names; false and undefined are left out. */
export function classes(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
