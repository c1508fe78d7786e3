// What a stream was given, captured into a graph of CUDA.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "crinkle/cuda.hpp"

namespace crinkle::testing {

class Graph {
 public:
  /// Of what `give` gives to the stream; none of it runs.
  template <class Give>
  Graph(const Stream& stream, Give&& give) : stream_(stream) {
    EXPECT_EQ(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal), cudaSuccess);
    give();
    EXPECT_EQ(cudaStreamEndCapture(stream.get(), &graph_), cudaSuccess);
    EXPECT_EQ(cudaGraphInstantiate(&exec_, graph_, 0), cudaSuccess);
  }
  ~Graph() {
    cudaGraphExecDestroy(exec_);
    cudaGraphDestroy(graph_);
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void run() const {
    EXPECT_EQ(cudaGraphLaunch(exec_, stream_.get()), cudaSuccess);
    stream_.synchronize();
  }

 private:
  const Stream& stream_;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
};

}  // namespace crinkle::testing
