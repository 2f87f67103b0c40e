package main

import (
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

func TestMain(m *testing.M) { cluster.Main(m) }
