// Gives a program of Node the IndexedDB of a browser: `node --import` this file.
import 'fake-indexeddb/auto'
