package store_test

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store/storetest"
)

func TestSum(t *testing.T) { storetest.Run(t, store.Sum) }
