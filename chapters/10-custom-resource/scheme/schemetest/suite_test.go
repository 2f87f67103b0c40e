package schemetest_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scheme/schemetest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// TestUpstream shows that the suite asks for nothing that upstream's scheme does not do.
func TestUpstream(t *testing.T) {
	schemetest.Run(t, func() schemetest.Scheme { return runtime.NewScheme() })
}
