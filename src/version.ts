/** The version of this program. It has a module of its own, so that importing it loads nothing else. */
export const version = '0.6.0'
