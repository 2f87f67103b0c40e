package scheme_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scheme"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scheme/schemetest"
)

// TestScheme gives the scheme to the suite. Upstream's passes it too: schemetest's own test shows that.
func TestScheme(t *testing.T) {
	schemetest.Run(t, func() schemetest.Scheme { return scheme.New() })
}
