package writes_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes/writestest"
)

func TestSaveAsTheSuiteHasIt(t *testing.T) { writestest.Run(t, writes.Save) }
