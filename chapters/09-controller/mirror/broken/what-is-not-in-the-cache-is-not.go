// Guideline: S2-07
// Misconception: What a cache does not have is not there.
// Caught by: TestSuite/client-go/nothing is written before the namespaces are known
// Message: the controller knows nothing of the namespaces yet, and writes
// Base: work.go

//go:build wrong

package mirror

import "context"

func (w Work) synced(context.Context) error { return nil }
