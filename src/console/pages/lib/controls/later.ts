import { signal } from '@preact/signals'
import { type ComponentType, h } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { common } from '../language/common-texts.ts'
import { textsLoaded } from '../language/language.ts'
import { isLive } from '../server/line.ts'
import { button, loadingBar, notice } from './controls.ts'
import { el } from './el.ts'

const loaders: (() => Promise<void>)[] = []

/**
 * Returns a screen, or a dialogue, whose script is loaded after the first screen is there, which so is there sooner. One that is
 * opened before loads its script at once, in the language of the page, and offers to try again when that fails.
 */
export function later<Given extends object = object>(
  load: () => Promise<ComponentType<Given>>,
): ComponentType<Given> {
  const component = signal<ComponentType<Given> | null>(null)
  const isFailed = signal(false)

  async function begin(): Promise<void> {
    isFailed.value = false
    try {
      const loaded = await load()
      await textsLoaded()
      component.value ??= loaded
    } catch {
      isFailed.value = true
    }
  }

  /**
   * Loads the script again. If that fails although the line is live, only a new page can load it: the program was updated
   * twice, or the browser keeps the failure.
   */
  async function beginAgain(): Promise<void> {
    await begin()
    if (isFailed.value && isLive.value) location.reload()
  }

  loaders.push(begin)
  return function Later(given: Given) {
    // The request starts before the browser draws.
    useLayoutEffect(() => void begin(), [])
    if (component.value) return h(component.value, given)
    if (!isFailed.value) return loadingBar(true)
    const again = button(common.value.tryAgain, { onClick: () => void beginAgain() })
    return notice('warning', common.value.noLineTitle, el.p(null, common.value.networkTrouble), again)
  }
}

/**
 * Loads the screens that are not there yet, so that they open while the line to the box is dead. The newest come first: the
 * sheet of a guest brings its dialogues, which a person opens before another screen.
 */
export async function loadLater(): Promise<void> {
  const begun = new Set<() => Promise<void>>()
  for (;;) {
    const load = loaders.findLast((each) => !begun.has(each))
    if (!load) return
    begun.add(load)
    await load()
  }
}
