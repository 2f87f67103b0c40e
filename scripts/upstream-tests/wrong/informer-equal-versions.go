// Wrong: An update whose version is that of the object before it is told to nobody.
// Base: chapters/07-shared-informer/informer/distributor.go
// Mechanism: informer
// Upstream: none
// Book: chapters/07-shared-informer/informer TestSuite

//go:build wrong

package informer

func (d *distributor) notify(n Notification) {
	if n.isResync() {
		return
	}
	if n.kind != deleted {
		d.mutations.AddObject(n.new)
	}
	for _, h := range d.handlers {
		h.add(n)
	}
}
