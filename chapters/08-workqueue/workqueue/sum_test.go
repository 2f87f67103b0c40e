package workqueue_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue/workqueuetest"
)

func TestSum(t *testing.T) { workqueuetest.Run(t, workqueue.Sum) }
