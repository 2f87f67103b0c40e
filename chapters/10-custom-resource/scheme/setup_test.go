package scheme_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }
