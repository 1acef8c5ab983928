import type { CommonTexts } from '../lib/language/common-texts.ts'

export const fr: CommonTexts = {
  tryAgain: 'Réessayer',
  close: 'Fermer',
  cancel: 'Annuler',
  loading: 'Chargement',
  otherTime: (here, box) =>
    `Cet ordinateur indique ${here}, l’appareil ${box}. L’un des deux a tort. Les cartes suivent l’horloge de l’appareil.`,
  noLineTitle: 'Pas de connexion avec le boîtier',
  noLine:
    'Cette page n’atteint pas le boîtier. Ce que vous voyez peut être ancien. La page continue d’essayer.',
  badAnswerTitle: 'La réponse est illisible',
  badAnswer:
    'Cette page a reçu autre chose qu’une réponse du boîtier : on ne sait donc pas si cela a été fait. Vérifiez avant de recommencer. Si cela continue, contrôlez ce qui se trouve entre cet ordinateur et le boîtier, un proxy par exemple.',
  brokenTitle: 'Cette page a un défaut',
  brokenText:
    'Une partie de cette page n’a pas pu être affichée ou n’a pas fonctionné. Vérifiez si votre dernière action a été faite avant de la répéter. La page essaie de nouveau.',
  toStart: 'Retour au premier écran',
  loadAgain: 'Recharger la page',
  needsLine: 'Pas sans liaison avec le boîtier',
  isHeld: 'Une autre action est encore en cours',
  asOf: (time) => `État à ${time}`,
  language: 'Langue',
  wasLockedTitle: 'Le poste était verrouillé',
  wasLocked: 'Il s’est verrouillé avant la fin de cette action. Recommencez-la.',
  system: 'Configuration, sauvegardes et état du boîtier',
  networkTrouble: 'Le boîtier démarre. Cette page continue d’essayer.',
}
