package reflector_test

import (
	"testing"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func init() {
	// The second handler slows down errors that come often, by a time that it measures with a clock of another bubble.
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1]
}
