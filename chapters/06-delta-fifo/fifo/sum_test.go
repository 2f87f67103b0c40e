package fifo_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/fifo"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/fifo/fifotest"
)

func TestSum(t *testing.T) { fifotest.Run(t, fifo.Sum) }
