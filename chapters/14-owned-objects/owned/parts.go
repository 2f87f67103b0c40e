package owned

import (
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// Timeout is how long an expectation is waited for, as upstream's ExpectationsTimeout in
// k8s.io/kubernetes/pkg/controller/controller_utils.go.
const Timeout = 5 * time.Minute

// Parts are what a Reconciler is made of. Ours has all that it needs; to leave a part out shows what it was for.
type Parts struct {
	// Generated has the API server think of the names, by generateName. Otherwise they have numbers.
	Generated bool
	// Memory knows the controller's own writes.
	Memory Memory
	// Live reads the children from the API server. Otherwise they come from the cache.
	Live bool
	// Rank orders children by who goes first when there are too many.
	Rank func([]*v1alpha1.Process)
	// Trusting adopts without asking the API server whether the set is still there.
	Trusting bool
	// Unguarded makes and deletes children of a set that is being deleted, too.
	Unguarded bool
	// May says whether something may be done for a set that is not being deleted. All may unless it is set.
	May func(*v1alpha1.ProcessSet) bool
}

// Ours are the parts of a controller that makes neither too many nor too few.
func Ours() Parts { return Parts{Memory: NewExpectations(Timeout), Rank: Rank} }

// Reader is a client.Reader. A manager has two: its client reads from the cache, and its APIReader is live.
type Reader = client.Reader
