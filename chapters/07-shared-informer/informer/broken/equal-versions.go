// Guideline: S2-09
// Misconception: An update whose version is that of the object before it is no news, so nobody need hear of it.
// Caught by: TestSuite/nothing of upstream's/guarantees/a handler that asks hears of each object again in each period,
// and no request is sent
// Message: where the server streams expected 1 again a1, again b1 happened
// Base: distributor.go

//go:build wrong

package informer

func (d *distributor) notify(n Notification) {
	if n.isResync() {
		return // a handler that failed with this object never hears of it again
	}
	if n.kind != deleted {
		d.mutations.AddObject(n.new)
	}
	for _, h := range d.handlers {
		h.add(n)
	}
}
