import { registerHooks } from 'node:module'

/** Loaded before the program: better-sqlite3 takes the addon in the file `ADDON` instead of that of its package. */
registerHooks({
  resolve(specifier, context, next) {
    const isAddon = /better-sqlite3\/(prebuilds|build)\/.*\.node$/.test(specifier)
    return next(isAddon ? process.env.ADDON! : specifier, context)
  },
})
