package storage

// index finds the watchers that a change may concern without asking all of them. A watcher stands
// on one shelf, the narrowest that its query allows; a change looks on the few shelves that its
// object belongs to. Those found are then asked: a selector such as "tier!=web" has no shelf.
//
// Upstream: indexedWatchers in k8s.io/apiserver/pkg/storage/cacher, by namespace and name, and for
// pods by node.
type index map[shelf]map[*Watcher]struct{}

func (ix index) add(w *Watcher) {
	s := w.query.shelf()
	if ix[s] == nil {
		ix[s] = map[*Watcher]struct{}{}
	}
	ix[s][w] = struct{}{}
}

func (ix index) remove(w *Watcher) {
	s := w.query.shelf()
	delete(ix[s], w)
	if len(ix[s]) == 0 {
		delete(ix, s)
	}
}

// dispatch offers a change to the watchers it may concern. It never waits: a watcher whose queue
// is full is evicted, so that nobody else, least of all the writer, pays for it.
func (ix index) dispatch(c *change) {
	for _, s := range c.shelves() {
		for w := range ix[s] {
			if event, ok := c.eventFor(w.query); ok && !w.offer(event) {
				w.close()
			}
		}
	}
}
