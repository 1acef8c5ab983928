/** The release of this program. A module of its own, so that who asks for it loads nothing else. */
export const version = '0.5.0'
