"""Makes the sample review log: the traffic, the policy's answers, the people, the lines of each era."""
