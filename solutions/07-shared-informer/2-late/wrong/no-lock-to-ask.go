// Breaks: Join, Get, HasSynced and Leave are for any goroutine at any time, also for the methods of any Handler.
// Caught by: TestAnyGoroutineAtAnyTime
// Message: race

//go:build wrong

package late

type Registration struct {
	hub         *Hub
	handler     Handler
	wantsResync bool
	inbox       *inbox

	synced flag
}

// flag needs no lock: it is set once.
type flag struct{ set bool }

func (f *flag) Store(set bool) { f.set = set }
func (f *flag) Load() bool     { return f.set }
